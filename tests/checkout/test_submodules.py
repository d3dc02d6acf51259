"""Submodules that a clone has are laid down with its trees; those that tests lack are named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evaluator.checkout import Repositories, Trees
from evaluator.checkout import submodules as submodules_module
from evaluator.checkout.submodules import submodule_named
from evaluator.errors import CheckoutError

from .conftest import Origin, new_origin

REPO = "owner/name"

MODULES = """\
[submodule "data"]
\tpath = tests/data
\turl = https://example.org/data.git
[submodule "more"]
  path="tests/data/more data"
"""


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[Errno 2] No such file or directory: '/testbed/tests/data/one.json'", "tests/data"),
        ("no 'tests/data/more data/x'", "tests/data/more data"),
        ("tests/data", "tests/data"),
        ("tests/database/one.json", ""),
        ("my-tests/data/one.json", ""),
        ("tests/datab", ""),
        ("", ""),
    ],
)
def test_the_submodule_that_a_text_names(tmp_path: Path, text: str, path: str) -> None:
    assert submodule_named(text, tmp_path) == ""
    (tmp_path / ".gitmodules").write_text(MODULES)
    assert submodule_named(text, tmp_path) == path
    (tmp_path / (path or "tests/data")).mkdir(parents=True)
    assert submodule_named(text, tmp_path) == path
    (tmp_path / (path or "tests/data") / "one.json").touch()
    assert submodule_named(text, tmp_path) == ""


@pytest.fixture
def trees(template: str, cache: Path) -> Trees:
    return Trees(Repositories([template], cache), cache)


@pytest.fixture
def nested(origin: Origin, tmp_path: Path) -> str:
    """A commit of `origin`, whose submodule at `lib/data` has one of its own at `more`."""
    inner, outer = new_origin(tmp_path / "inner"), new_origin(tmp_path / "outer")
    inner.commit({"deep.txt": b"deep\n"})
    _add(outer, inner.path, "more")
    outer.commit({"first.txt": b"first\n"})
    _add(origin, outer.path, "lib/data")
    return origin.commit({"a.py": b"1\n"})


def _add(origin: Origin, other: Path, path: str) -> None:
    allowed = ("-c", "protocol.file.allow=always")
    origin.git(*allowed, "submodule", "--quiet", "add", str(other), path)
    origin.git(*allowed, "submodule", "--quiet", "update", "--init", "--recursive")


def laid(tree: Path) -> dict[str, bytes]:
    files = (path for path in tree.rglob("*") if path.is_file())
    return {str(file.relative_to(tree)): file.read_bytes() for file in files}


def test_what_a_clone_has_of_submodules_is_in_its_trees(trees: Trees, nested: str) -> None:
    found = laid(trees.pristine(REPO, nested))
    assert found["lib/data/first.txt"] == b"first\n"
    assert found["lib/data/more/deep.txt"] == b"deep\n"
    assert not any(path.endswith("/.git") for path in found)


def test_a_linked_work_tree_has_its_own(
    origin: Origin, nested: str, cache: Path, tmp_path: Path
) -> None:
    linked = tmp_path / "linked"
    origin.git("worktree", "add", "--quiet", str(linked), nested)
    shutil.rmtree(origin.path / ".git" / "modules")
    Origin(linked).git("-c", "protocol.file.allow=always", "submodule", "-q", "update", "--init")
    tree = Trees(Repositories([str(linked)], cache), cache).pristine(REPO, nested)
    assert laid(tree)["lib/data/first.txt"] == b"first\n"


def test_names_and_settings_of_a_submodule_count_for_nothing(
    trees: Trees, origin: Origin, nested: str
) -> None:
    modules = origin.path / ".git" / "modules"
    (modules / "lib").rename(modules / "anything")
    (modules / "anything" / "data" / "config").write_text("[extensions]\n\tpartialClone = x\n")
    assert laid(trees.pristine(REPO, nested))["lib/data/first.txt"] == b"first\n"


def test_a_tree_with_a_submodule_is_not_taken_for_one_without(
    trees: Trees, origin: Origin, nested: str
) -> None:
    whole = trees.pristine(REPO, nested)
    modules = origin.path / ".git" / "modules"
    modules.rename(modules.with_name("hidden"))
    bare = trees.pristine(REPO, nested)
    assert "lib/data/first.txt" not in laid(bare)
    assert (bare / "lib" / "data").is_dir()
    assert trees.key(bare) != trees.key(whole)
    modules.with_name("hidden").rename(modules)
    assert trees.pristine(REPO, nested) == whole


def test_what_is_not_whole_is_left_out(trees: Trees, origin: Origin, nested: str) -> None:
    module = Origin(origin.path / "lib" / "data")
    lost = module.git("rev-parse", "HEAD:first.txt")
    (origin.path / ".git/modules/lib/data/objects" / lost[:2] / lost[2:]).unlink()
    found = laid(trees.pristine(REPO, nested))
    assert sorted(found) == [".gitmodules", "a.py"]


def test_what_is_not_what_its_id_says_is_refused(trees: Trees, origin: Origin, nested: str) -> None:
    module = Origin(origin.path / "lib" / "data")
    wanted, other = (
        module.git("rev-parse", f"HEAD:{name}") for name in ("first.txt", ".gitmodules")
    )
    objects = origin.path / ".git/modules/lib/data/objects"
    first = objects / wanted[:2] / wanted[2:]
    first.unlink()
    shutil.copy(objects / other[:2] / other[2:], first)
    with pytest.raises(CheckoutError, match="not what its id says"):
        trees.pristine(REPO, nested)


def test_too_many_are_refused(trees: Trees, nested: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submodules_module, "MOST_SUBMODULES", 1)
    with pytest.raises(CheckoutError, match="more than 1 submodules"):
        trees.pristine(REPO, nested)
