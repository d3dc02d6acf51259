"""Parts of a change are taken back on their own: hunks, constants, comparisons."""

from __future__ import annotations

import time
from pathlib import Path
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from evaluator.demo.sample import commit, commit_patch, git, patch
from evaluator.diff import ChangedLines, Changes
from evaluator.execution import Executor, Subject
from evaluator.judge import Judgement
from evaluator.languages import language
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.languages.python.safeguards.mutants import mutants
from evaluator.model import Revision, Side, Status, Transition
from evaluator.verification.hunks import hunks_of, without
from evaluator.verification.inert import inert_contents, only_added
from evaluator.verification.judged_tests import JudgedTests

from .conftest import Verify

PYTHON = language("python")
LINES = st.sampled_from([b"a = 1\n", b"b()\n", b"c = 3\r\n", b"\n", b"# d\n"])
FIX, TESTS = "fixes/shorten.patch", "instances/shorten.tests.patch"
IN_A_PROCESS = """
import subprocess, sys, unittest

class Process(unittest.TestCase):
    def test_shorten(self):
        code = "from wordtools.shorten import shorten; print(shorten('just fits', 9))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(done.stdout, "just fits\\n")
"""
BEFORE = b'"""Old."""\ndef f(x):\n    return x\n\n\ndef g(x):\n    return x < 3\n'


def apply_fix(repository: Path) -> None:
    """Lay the fix and its tests into the work tree, on a branch of their own."""
    git(repository, "checkout", "-q", "-B", "fix", "main")
    for name in (FIX, TESTS):
        git(repository, "apply", "-", text=patch(name))


def hunks(after: bytes | None, path: str = "m.py") -> list[tuple[int, int]]:
    found = hunks_of(Changes({path: after}), {"m.py": BEFORE}.get, PYTHON)
    return [(hunk.first, hunk.last) for hunk in found]


def test_each_run_of_changed_lines_is_a_hunk() -> None:
    after = BEFORE.replace(b"x\n\n", b"x + 1\n\n").replace(b"< 3", b"<= 3")
    found = hunks_of(Changes({"m.py": after}), {"m.py": BEFORE}.get, PYTHON)
    assert [(hunk.first, hunk.last) for hunk in found] == [(3, 3), (7, 7)]
    assert found[0].content == BEFORE.replace(b"< 3", b"<= 3")
    assert found[1].content == BEFORE.replace(b"x\n\n", b"x + 1\n\n")


@given(st.lists(LINES, max_size=8), st.lists(LINES, max_size=8))
def test_all_hunks_taken_back_together_leave_the_base(old: list[bytes], new: list[bytes]) -> None:
    before, after = b"".join(old), b"".join(new)
    fix = Changes({"m.py": after})
    found = hunks_of(fix, {"m.py": before}.get, PYTHON)
    ran = PYTHON.sources.behaviour
    assert ran(without(found, fix).get("m.py", after) or b"") == ran(before)


def test_some_hunks_are_taken_back_together() -> None:
    after = b"import a\n" + BEFORE.replace(b"return x\n", b"return -x\n").replace(b"< 3", b"<= 3")
    fix = Changes({"m.py": after})
    first, _, last = hunks_of(fix, {"m.py": BEFORE}.get, PYTHON)
    kept = BEFORE.replace(b"return x\n", b"return -x\n")
    assert without([first, last], fix) == {"m.py": kept}


def test_lines_that_are_only_removed_are_a_hunk() -> None:
    assert hunks(BEFORE.replace(b"    return x < 3\n", b"    pass\n")) == [(7, 7)]
    assert hunks(BEFORE.partition(b"\n\n\ndef g")[0] + b"\n") == [(4, 3)]


def test_what_changes_nothing_that_runs_is_no_hunk() -> None:
    assert hunks(BEFORE.replace(b"Old", b"New").replace(b"x < 3", b"x < 3  # why")) == []


def test_new_and_removed_files_are_taken_back_whole() -> None:
    assert hunks(b"x = 1\n", "new.py") == hunks(None) == [(0, 0)]


def test_what_cannot_be_taken_back_alone_is_taken_back_with_what_follows() -> None:
    source = {"m.py": b"x = 1\nf(2)\ny = 3\n"}.get
    (hunk,) = hunks_of(Changes({"m.py": b"x = [\nf(2)\n]\n"}), source, PYTHON)
    assert (hunk.first, hunk.last, hunk.content) == (1, 3, source("m.py"))


def test_what_can_be_taken_back_alone_is_whatever_stands_beside_it() -> None:
    before, after = b"x = 1\nf(2)\ny = 3\n\n\nz = 4\n", b"x = [\nf(2)\n]\n\n\nz = 5\n"
    found = hunks_of(Changes({"m.py": after}), {"m.py": before}.get, PYTHON)
    assert [(hunk.first, hunk.last) for hunk in found] == [(1, 3), (6, 6)]
    assert found[0].content == before.replace(b"4", b"5")


def test_what_cannot_be_taken_back_with_what_follows_is_taken_back_with_its_file() -> None:
    before, after = b"x = 1\ny = 2\nz = 3\n", b"def f():\n\n    x = 1\n    y = 2\n\nz = 3\n"
    broken = before.replace(b"z", b"if")
    (hunk,) = hunks_of(Changes({"m.py": after}), {"m.py": broken}.get, PYTHON)
    assert (hunk.first, hunk.last, hunk.content) == (0, 0, broken)


def test_data_in_a_package_is_a_hunk_and_prose_is_not() -> None:
    source = {"p/__init__.py": b"", "p/data.json": b"1", "CHANGES": b"1"}.get
    fix = Changes({"p/data.json": b"2", "CHANGES": b"2"})
    assert [hunk.path for hunk in hunks_of(fix, source, PYTHON)] == ["p/data.json"]


CORRECTED, NEW = "src/main/resources/zones.properties", "src/main/resources/notes.txt"


def test_resources_of_a_java_project_are_known_where_nothing_but_them_changes() -> None:
    fix, source = Changes({CORRECTED: b"IT=EU", NEW: b"new"}), {CORRECTED: b""}.get
    java = language("java")
    assert [hunk.path for hunk in hunks_of(fix, source, java)] == [NEW, CORRECTED]
    # A test may look for no more than that a file exists now: it stays, as other additions do.
    assert inert_contents(fix, source, java) == {CORRECTED: b"", NEW: b"new"}


def test_a_change_of_comments_alone_is_known_without_a_run() -> None:
    """What fails by chance would end as it likes in one more run: it was accepted so once."""
    before, after = b"x = 1\n", b"x = 1\n\n# Better.\n"
    recipe = PythonRecipe(python=("3.11",))
    environments = {Revision.BASE: PythonEnvironment(key="", recipe=recipe, python=Path("/"))}
    fix, lines = Changes({"m.py": after}), ChangedLines({}, {})
    subject = Subject("", "", Path(), {"m.py": before}.get, fix, lines, environments)
    chance = Transition("t.py::f", "t.py", Side(Status.FAILED), Side(Status.PASSED))
    tests = JudgedTests(Changes(), Judgement(("t.py",), (chance,)))
    assert only_added(cast(Executor, None), subject, [tests]) == {"t.py::f"}


def test_comparisons_come_before_constants() -> None:
    code = (
        b'def f(a):\n    if (a) < (3):\n        return "\xc3\xa4" if a is not True else f"{a} 1"\n'
    )
    found = list(mutants("m.py", code, {2, 3}))
    assert [detail.what for detail in found] == [
        "< -> <=",
        "is not -> is",
        "3 -> 4",
        "True -> False",
        "\"ä\" -> 'äx'",
    ]
    assert found[0].content.splitlines()[1] == b"    if (a) <= (3):"


def test_a_detail_without_which_a_loop_never_ends_is_noticed_soon(
    verify: Verify, repository: Path
) -> None:
    apply_fix(repository)
    code = repository / "wordtools" / "shorten.py"
    loop = "    count = 0\n    while count - 3:\n        count += 1\n    if len(text) <= width"
    code.write_text(code.read_text().replace("    if len(text) <= width", loop))
    commit(repository, "a fix with a loop")
    began = time.monotonic()
    answer = verify("--base", "main", "--head", "fix", "--reruns", "0")
    # A run may take half an hour otherwise.
    assert time.monotonic() - began < 300
    assert answer.exit_code == 0, answer.error
    details = {part["what"]: part["state"] for part in answer.told["parts"] if part["what"]}
    assert details["1 -> 2"] == "tested"


def test_the_answer_says_which_hunks_are_tested(verify: Verify, repository: Path) -> None:
    apply_fix(repository)
    code = repository / "wordtools" / "shorten.py"
    code.write_text(f"{code.read_text()}\n\ndef other(text):\n    return text == 'nobody tests'\n")
    commit(repository, "a fix, and more")
    answer = verify("--base", "main", "--head", "fix", "--reruns", "0")
    assert answer.exit_code == 0, answer.error
    assert answer.told["hunks"] == {"all": 2, "tested": 1, "not_tried": 0}
    states = [(part["kind"], part["state"]) for part in answer.told["parts"]]
    assert states[:3] == [("hunk", "tested"), ("hunk", "untested"), ("detail", "tested")]


def test_the_only_hunk_needs_no_run(verify: Verify, repository: Path) -> None:
    commit_patch(repository, "fix", FIX, TESTS)
    answer = verify("--base", "main", "--head", "fix", "--reruns", "0")
    assert answer.told["hunks"] == {"all": 1, "tested": 1, "not_tried": 0}


def give_limits_a_file(repository: Path, old: str, new: str) -> None:
    """Commits of a base, whose code takes a limit from a file of its own, and of a fix there."""
    limits, code = repository / "wordtools" / "limits.py", repository / "wordtools" / "shorten.py"
    git(repository, "checkout", "-q", "-B", "before", "main")
    limits.write_text(old)
    before = code.read_text()
    assert "len(text) < width" in before
    code.write_text(
        "from wordtools.limits import too_long\n\n"
        + before.replace("len(text) < width", "not too_long(text, width)")
    )
    commit(repository, "limits have a file of their own")
    git(repository, "checkout", "-q", "-B", "fix")
    git(repository, "apply", "-", text=patch(TESTS))
    limits.write_text(new)
    code.write_text(code.read_text().replace("too_long\n", "exceeds as too_long\n"))
    commit(repository, "a limit may be reached")


EXCEEDS = "def exceeds(text, width):\n    return len(text) > width\n"


def test_parts_that_cannot_be_loaded_without_each_other_are_taken_back_together(
    verify: Verify, repository: Path
) -> None:
    old = "def too_long(text, width):\n    return len(text) >= width\n"
    give_limits_a_file(repository, old, EXCEEDS)
    answer = verify("--base", "before", "--head", "fix", "--reruns", "0")
    assert answer.exit_code == 0, answer.error
    parts = [part for part in answer.told["parts"] if part["kind"] == "hunk"]
    assert [part["state"] for part in parts] == ["tested", "tested"]


def test_what_they_need_that_no_test_notices_is_taken_back_with_them(
    verify: Verify, repository: Path
) -> None:
    needed, between = "MORE = 0\n", "NAMES = ()\n\n\n"
    old = "def too_long(text, width, more=MORE):\n    return len(text) >= width + more\n"
    give_limits_a_file(repository, needed + between + old, between + EXCEEDS)
    answer = verify("--base", "before", "--head", "fix", "--reruns", "0")
    assert answer.exit_code == 0, answer.error
    parts = [part for part in answer.told["parts"] if part["kind"] == "hunk"]
    assert [part["state"] for part in parts] == ["untested", "tested", "tested"]


def test_what_cannot_be_loaded_without_a_part_says_nothing_of_the_tests(
    verify: Verify, repository: Path
) -> None:
    apply_fix(repository)
    fixed = repository / "wordtools" / "shorten.py"
    (repository / "wordtools" / "fixed.py").write_text(fixed.read_text())
    fixed.write_text("from wordtools.fixed import shorten as shorten\n")
    commit(repository, "what shortens has a file of its own")
    answer = verify("--base", "main", "--head", "fix", "--reruns", "0")
    parts = [part for part in answer.told["parts"] if part["kind"] == "hunk"]
    states = {part["path"]: part["state"] for part in parts}
    assert states["wordtools/fixed.py"] == "inseparable"
    assert states["wordtools/shorten.py"] == "tested"
    assert answer.exit_code == 0, answer.error


def test_what_runs_in_a_process_of_its_own_is_taken_back_too(
    verify: Verify, repository: Path
) -> None:
    git(repository, "checkout", "-q", "-B", "fix", "main")
    git(repository, "apply", "-", text=patch(FIX))
    code = repository / "wordtools" / "shorten.py"
    code.write_text(f"{code.read_text()}\n\ndef other(text):\n    return text == 'nobody tests'\n")
    (repository / "tests" / "test_process.py").write_text(IN_A_PROCESS)
    commit(repository, "a fix, and more")
    answer = verify("--base", "main", "--head", "fix", "--reruns", "0")
    assert answer.exit_code == 0, answer.text
    assert answer.told["hunks"] == {"all": 2, "tested": 1, "not_tried": 0}


def test_of_parts_that_each_suffice_one_counts(verify: Verify, repository: Path) -> None:
    apply_fix(repository)
    code = repository / "wordtools" / "shorten.py"
    cut = "    return text[: width - len(mark)] + mark"
    assert cut in code.read_text()
    again = "    return text if len(text) == width else text[: width - len(mark)] + mark"
    code.write_text(code.read_text().replace(cut, again))
    commit(repository, "a fix with a second line of defence")
    answer = verify("--base", "main", "--head", "fix", "--reruns", "0")
    assert answer.exit_code == 0, answer.text
    assert answer.told["hunks"] == {"all": 2, "tested": 1, "not_tried": 0}


def test_a_text_that_no_code_reads_is_no_behaviour(verify: Verify, repository: Path) -> None:
    git(repository, "checkout", "-q", "main")
    (repository / "words.txt").write_text("long\n")
    commit(repository, "words")
    git(repository, "checkout", "-q", "-B", "fix")
    code = repository / "wordtools" / "shorten.py"
    code.write_text(f"{code.read_text()}\n\ndef one():\n    return 1\n")
    (repository / "wordtools" / "two.py").write_text("def two():\n    return 2\n")
    (repository / "words.txt").write_text("short\n")
    (repository / "tests" / "test_words.py").write_text(
        "import subprocess, unittest\n\nclass Words(unittest.TestCase):\n"
        "    def test_words(self):\n"
        "        said = subprocess.run(['cat', 'words.txt'], capture_output=True, text=True)\n"
        "        self.assertEqual(said.stdout, 'short\\n')\n"
    )
    commit(repository, "other words")
    answer = verify("--base", "main", "--head", "fix", "--reruns", "0")
    assert answer.exit_code == 3
    assert "wrong_reason" in answer.rules
