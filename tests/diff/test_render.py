"""That a written diff is read back as the changes that it was made of."""

from __future__ import annotations

import subprocess

from hypothesis import given
from hypothesis import strategies as st

from evaluator.diff import Changes, apply, unified_diff

LINE = st.sampled_from(["a", "b", "", " x", "-y", "+z", "\\ No", "@@ -1 +1 @@", "é", "\r", "\x0c"])
CONTENT = st.builds(
    lambda lines, end: ("\n".join(lines) + end).encode(),
    st.lists(LINE),
    st.sampled_from(["\n", ""]),
)
CONTENTS = st.one_of(st.none(), CONTENT, st.just(b"\xff\xfe\n"))


@given(CONTENTS, CONTENTS)
def test_a_written_diff_is_read_back(old, new):
    text = unified_diff(Changes({"tests/test_a.py": new}), {"tests/test_a.py": old}.get)
    changes = apply(text, {"tests/test_a.py": old}.get).changes
    assert changes.contents == ({} if old == new else {"tests/test_a.py": new})


def test_git_applies_what_is_written(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    before = {"changed": b"one\ntwo\nthree", "gone": b"x\n", "a b/é": b"1\n"}
    for path, content in before.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(content)
    after = {"changed": b"one\n2\nthree\n", "gone": None, "new/file.py": b"x = 1", "a b/é": b"2\n"}
    text = unified_diff(Changes(after, executable=frozenset({"new/file.py"})), before.get)
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=text.encode(), check=True)
    now = {path: (tmp_path / path) for path in after}
    assert {p: f.read_bytes() if f.exists() else None for p, f in now.items()} == after
    assert now["new/file.py"].stat().st_mode & 0o100
