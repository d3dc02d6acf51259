"""Writing into a tree on disk: nothing outside of it is ever touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evaluator.diff import Changes, tree_source, write
from evaluator.errors import PatchError


def names(directory: Path) -> set[str]:
    return {entry.name for entry in directory.iterdir()}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_bytes(b"secret")
    return outside


@pytest.fixture
def tree(tmp_path: Path, outside: Path) -> Path:
    tree = tmp_path / "tree"
    (tree / "tests").mkdir(parents=True)
    (tree / "tests" / "test_a.py").write_bytes(b"a\n")
    (tree / ".git").mkdir()
    (tree / "linked").symlink_to(outside)
    (tree / "link.txt").symlink_to(outside / "secret.txt")
    (tree / "loop").symlink_to("loop")
    (tree / "dangling").symlink_to(outside / "made.txt")
    (tree / "inner").symlink_to("tests")
    return tree


ESCAPES = [
    "../outside/secret.txt",
    "tests/../../outside/secret.txt",
    "linked/secret.txt",
    "linked/new.txt",
    "linked",
    "link.txt",
    "loop",
    "loop/x",
    "dangling",
    "inner/test_a.py",
    ".git/hooks/pre-commit",
    ".Git/config",
    "tests/a\0b",
]


@pytest.mark.parametrize("path", ESCAPES)
@pytest.mark.parametrize("content", [b"evil", None])
def test_escapes_are_refused_by_name_before_anything_is_written(
    tree: Path, outside: Path, path: str, content: bytes | None
) -> None:
    with pytest.raises(PatchError, match="refused path") as caught:
        write(Changes({"tests/test_a.py": b"changed", path: content}), tree)
    assert repr(path) in str(caught.value)
    assert (tree / "tests" / "test_a.py").read_bytes() == b"a\n"
    assert names(outside) == {"secret.txt"}
    assert (outside / "secret.txt").read_bytes() == b"secret"
    assert names(tree / ".git") == set()


@pytest.mark.parametrize("path", ESCAPES)
def test_reading_follows_no_link(tree: Path, path: str) -> None:
    with pytest.raises(PatchError, match="refused path"):
        tree_source(tree)(path)


def test_an_absolute_path_is_refused(tree: Path, outside: Path) -> None:
    with pytest.raises(PatchError, match="absolute"):
        write(Changes({str(outside / "secret.txt"): b"evil"}), tree)


def test_a_hard_link_elsewhere_keeps_its_content(tree: Path, outside: Path) -> None:
    (tree / "shared").hardlink_to(outside / "secret.txt")
    write(Changes({"shared": b"new"}), tree)
    assert (tree / "shared").read_bytes() == b"new"
    assert (outside / "secret.txt").read_bytes() == b"secret"


def test_directories_are_made_and_emptied_ones_removed(tree: Path) -> None:
    write(Changes({"a/b/c.py": b"c", "tests/test_a.py": None, "absent/x": None}), tree)
    assert (tree / "a" / "b" / "c.py").read_bytes() == b"c"
    assert not (tree / "tests").exists()
    assert not (tree / "absent").exists()


def test_what_is_no_regular_file_is_refused(tree: Path) -> None:
    os.mkfifo(tree / "pipe")
    for path, reason in (("pipe", "no regular file"), ("tests", "a directory")):
        with pytest.raises(PatchError, match=reason):
            write(Changes({path: b"x"}), tree)
    with pytest.raises(PatchError, match="is a file in the tree"):
        write(Changes({"tests/test_a.py/x": b"x"}), tree)
    assert tree_source(tree)("pipe") is None
    assert tree_source(tree)("tests") is None
    assert tree_source(tree)("tests/test_a.py/x") is None


def test_modes_are_kept_unless_told(tree: Path) -> None:
    script = tree / "run.sh"
    script.write_bytes(b"")
    script.chmod(0o755)
    write(Changes({"run.sh": b"x", "new.sh": b"y"}, frozenset({"new.sh"})), tree)
    assert script.stat().st_mode & 0o777 == 0o755
    assert (tree / "new.sh").stat().st_mode & 0o777 == 0o755
    write(Changes({"run.sh": b"x"}, plain=frozenset({"run.sh"})), tree)
    assert script.stat().st_mode & 0o777 == 0o644


def test_nothing_is_left_over(tree: Path) -> None:
    before = names(tree)
    write(Changes({"x.py": b"x"}), tree)
    assert names(tree) == before | {"x.py"}


def test_changes_read_merge_and_digest() -> None:
    first = Changes({"a": b"1", "b": b"2", "gone": None}, frozenset({"a"}))
    second = Changes({"a": b"3", "c": None}, plain=frozenset({"a"}))
    source = first.overlaid({"b": b"old", "d": b"4", "gone": b"5"}.get)
    assert [source(path) for path in ("a", "b", "d", "gone")] == [b"1", b"2", b"4", None]
    merged = first.merged(second)
    assert merged.contents == {"a": b"3", "b": b"2", "gone": None, "c": None}
    assert (merged.executable, merged.plain) == (frozenset(), frozenset({"a"}))
    assert first.merged(Changes({"a": None})).executable == frozenset()
    digests = {
        changes.digest
        for changes in (
            first,
            second,
            merged,
            Changes(),
            Changes({"a": None}),
            Changes({"a": b""}),
            Changes({"a": b""}, frozenset({"a"})),
            Changes({"a": b""}, plain=frozenset({"a"})),
            Changes({"a": b"b", "c": b"d"}),
            Changes({"a": b"", "bc": b"d"}),
            Changes({"\ud800": b""}),
        )
    }
    assert len(digests) == 11
    assert Changes({"a": b"1", "b": b"2"}).digest == Changes({"b": b"2", "a": b"1"}).digest
