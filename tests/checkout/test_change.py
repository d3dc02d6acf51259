"""A change between two commits makes of the one tree exactly the other, whatever they hold."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evaluator.checkout import Mirror, Repositories, Trees
from evaluator.diff import Changes
from evaluator.diff.paths import refusal
from evaluator.errors import CheckoutError, PatchError
from evaluator.languages import is_test_file
from evaluator.languages.safeguards import Concern
from evaluator.verification.change import Change, change_between

from .conftest import Origin, new_origin

Files = Mapping[bytes, tuple[str, bytes]]
"""Path in a tree -> mode and content."""

_NAMES = st.sampled_from(
    [
        *(b"a", b"b", b"a b", b"a ", b" a", b"a\t", b"a\n", b"a\nb", b'a"b', b"a'b", b"a\\b"),
        *(b"-a", b"--help", b"tests", b"test_a.py", b"a.py", b"a.py\r", b"x\xff", b"\xe9"),
        *("\u00e9".encode(), "e\u0301".encode(), b"\x01", b"*", b"?", b"{name}", b"..."),
        *(b"@@ -1 +1 @@", b"+++ b", b"diff --git a", b"[start of a]"),
        *(b".gitattributes", b".gitignore", b".gitmodules", b"dev", b"null"),
    ]
)
_ANY_NAME = st.binary(min_size=1, max_size=6).filter(
    lambda name: not {0, ord("/")} & set(name) and name not in (b".", b"..")
)
_PATHS = st.lists(_NAMES | _ANY_NAME, min_size=1, max_size=3).map(b"/".join)
_CONTENTS = st.sampled_from(
    [
        b"",
        b"one\ntwo\nthree\n",
        b"one\ntwo\nthree",
        b"one\r\ntwo\r\n",
        b"one\n2\nthree\n",
        b"\0binary\n",
        b"caf\xe9\n",
        b"\xef\xbb\xbfx = 1\n",
        b"diff\na.py\nrewrite\n1\n1\nx\nend diff\n",
        b"--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n",
        b"-- \n2.39.5\n",
        b"* text eol=crlf working-tree-encoding=UTF-16 filter=evil ident\n",
        b"\\ No newline at end of file\n",
        b"\x0c\n\x1e\n\xe2\x80\xa8",
    ]
) | st.binary(max_size=30)
_TREES = st.dictionaries(
    _PATHS, st.tuples(st.sampled_from(["100644", "100755"]), _CONTENTS), max_size=6
)
_DISTURBING = {
    "apply.whitespace": "fix",
    "core.attributesFile": "/nowhere",
    "core.autocrlf": "true",
    "core.ignoreCase": "true",
    "core.precomposeUnicode": "true",
    "core.quotePath": "false",
    "diff.algorithm": "histogram",
    "diff.external": "/bin/false",
    "diff.ignoreSubmodules": "all",
    "diff.mnemonicPrefix": "true",
    "diff.noprefix": "true",
    "diff.orderFile": "/nowhere",
    "diff.renames": "copies",
}


def _without_conflicts(files: Files) -> Files:
    """Only paths that are not directories of others."""
    return {p: f for p, f in files.items() if not any(o.startswith(p + b"/") for o in files)}


def _commit(origin: Origin, files: Files, parent: str = "") -> str:
    """A commit of files under any names, made by `git fast-import`, which looks at none."""
    rows = [
        b"commit refs/heads/made\nmark :1\ncommitter C <c@example.org> 1577934245 +0000\ndata 0\n"
    ]
    rows += [f"from {parent}\n".encode()] if parent else []
    rows.append(b"deleteall\n")
    for path, (mode, content) in files.items():
        quoted = b'"' + b"".join(b"\\%03o" % byte for byte in path) + b'"'
        rows.append(
            b"M %b inline %b\ndata %d\n%b\n" % (mode.encode(), quoted, len(content), content)
        )
    # Else it takes `b` and `B` for one file.
    exact = ("-c", "core.ignoreCase=false")
    origin.git(*exact, "fast-import", "--quiet", "--force", given=b"".join(rows))
    return origin.git("rev-parse", "made")


def _on_disk(tree: Path) -> Files:
    files = [path for path in tree.rglob("*") if path.is_file()]
    modes = {path: "100755" if path.stat().st_mode & 0o100 else "100644" for path in files}
    return {os.fsencode(p.relative_to(tree)): (modes[p], p.read_bytes()) for p in files}


@dataclass(frozen=True)
class Workshop:
    """A repository with disturbing settings, and what reads it."""

    origin: Origin
    cache: Path
    trees: Trees

    def between(self, base: str, head: str) -> Change:
        return change_between(self.origin.path, base, head, self.cache)

    def made(self, change: Change) -> str:
        """The id of the tree that the change makes of its base on disk, as git sees it."""
        pristine = self.trees.pristine("local/repo", change.base)
        with self.trees.work_tree(pristine, (), change.code.merged(change.tests)) as tree:
            commit = _commit(self.origin, _on_disk(tree))
        return self.origin.git("rev-parse", f"{commit}^{{tree}}")


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    folder = tmp_path_factory.mktemp("change")
    origin = new_origin(folder / "repo")
    for setting, value in _DISTURBING.items():
        origin.git("config", setting, value)
    cache = folder / "cache"
    return Workshop(origin, cache, Trees(Repositories([str(origin.path)], cache), cache))


@settings(deadline=None, max_examples=25)
@example(before={}, after={b"b": ("100644", b""), b"B": ("100644", b"")}, kept=False)
@given(before=_TREES, after=_TREES, kept=st.booleans())
def test_the_change_makes_the_tree_of_the_head(
    workshop: Workshop, before: Files, after: Files, *, kept: bool
) -> None:
    before = _without_conflicts(before)
    after = _without_conflicts({**before, **after} if kept else after)
    base = _commit(workshop.origin, before)
    head = _commit(workshop.origin, after, base)
    change = workshop.between(base, head)
    paths = {*change.code.contents, *change.tests.contents}
    assert paths == {os.fsdecode(p) for p in {*before, *after} if before.get(p) != after.get(p)}
    assert all(is_test_file(path) for path in change.tests.contents)
    assert not any(is_test_file(path) for path in change.code.contents)
    if any(refusal(path) for path in paths):  # what is no decent name elsewhere is not written
        with pytest.raises(PatchError, match="refused path"):
            workshop.made(change)
    else:
        wanted = workshop.origin.git("rev-parse", f"{head}^{{tree}}")
        assert workshop.made(change) == wanted


def test_lines_are_those_of_gits_own_diff(workshop: Workshop) -> None:
    body = b"".join(b"line %d\n" % number for number in range(1, 30))
    before = {
        b"moved.py": ("100644", body),
        b"changed.py": ("100644", body),
        b"gone.py": ("100644", b"1\n2"),
        b"test_a.py": ("100644", b"1\n"),
    }
    after = {
        b"new name.py": ("100755", body.replace(b"line 5\n", b"5\xe9\r\nmore\n")),
        b"changed.py": ("100644", body.replace(b"line 7\n", b"").replace(b"line 20\n", b"20\n")),
        b"binary": ("100644", b"\0\n"),
        b"test_a.py": ("100644", b"2\n"),
    }
    base = _commit(workshop.origin, before)
    lines = workshop.between(base, _commit(workshop.origin, after, base)).lines
    assert lines.removed == {
        "changed.py": {7: "line 7", 20: "line 20"},
        "gone.py": {1: "1", 2: "2"},
        "moved.py": {5: "line 5"},
    }
    assert lines.added == {"changed.py": {19: "20"}, "new name.py": {5: "5\ufffd", 6: "more"}}


def test_modes_are_part_of_the_change(workshop: Workshop) -> None:
    before = {b"a.py": ("100644", b"x"), b"b.py": ("100755", b"x"), b"c.py": ("100755", b"x")}
    after = {b"a.py": ("100755", b"x"), b"b.py": ("100644", b"x"), b"c.py": ("100755", b"y")}
    base = _commit(workshop.origin, before)
    change = workshop.between(base, _commit(workshop.origin, after, base))
    assert change.code == Changes(
        {"a.py": b"x", "b.py": b"x", "c.py": b"y"},
        executable=frozenset({"a.py", "c.py"}),
        plain=frozenset({"b.py"}),
    )


@pytest.mark.parametrize(
    ("row", "becomes"),
    [("120000 blob {blob}\ta", "a symbolic link"), ("160000 commit {commit}\ta", "a submodule")],
)
def test_what_is_no_file_stays_apart(workshop: Workshop, row: str, becomes: str) -> None:
    base = _commit(workshop.origin, {b"a": ("100644", b"x")})
    ids = {"blob": workshop.origin.blob(b"/etc/passwd"), "commit": base}
    tree = workshop.origin.git("mktree", given=f"{row.format(**ids)}\n".encode())
    head = workshop.origin.git("commit-tree", tree, "-p", base, "-m", "odd")
    beside = _commit(workshop.origin, {b"b.py": ("100644", b"y")}, head)
    expected = (Concern("a", becomes),)
    there, back = workshop.between(base, head), workshop.between(head, beside)
    assert (there.beyond, there.code, there.paths) == (expected, Changes(), ("a",))
    assert (back.beyond, back.code, back.paths) == (
        expected,
        Changes({"b.py": b"y"}),
        ("a", "b.py"),
    )


@pytest.mark.parametrize("name", [".git", ".GIT", ".gIt"])
def test_what_enters_a_git_directory_is_refused(workshop: Workshop, name: str) -> None:
    base = _commit(workshop.origin, {b"a": ("100644", b"x")})
    inner = workshop.origin.git(
        "mktree", given=f"100644 blob {workshop.origin.blob(b'x')}\tconfig\n".encode()
    )
    tree = workshop.origin.git("mktree", given=f"040000 tree {inner}\t{name}\n".encode())
    head = workshop.origin.git("commit-tree", tree, "-p", base, "-m", "odd")
    with pytest.raises(CheckoutError, match="forbidden path"):
        workshop.between(base, head)


def test_a_few_objects_that_name_billions_of_files_are_refused(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluator.checkout.listing.MOST_ENTRIES", 1000)
    inner = f"100644 blob {workshop.origin.blob(b'x')}\ta\n"
    for _ in range(12):
        tree = workshop.origin.git("mktree", given=inner.encode())
        inner = "".join(f"040000 tree {tree}\td{number}\n" for number in range(10))
    commit = workshop.origin.git("commit-tree", tree, "-m", "bomb")
    with pytest.raises(CheckoutError, match="more than 1000 entries"):
        Mirror.open(workshop.origin.path, workshop.cache).listing(commit)
