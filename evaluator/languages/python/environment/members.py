"""The projects of a repository of several packages: those that uv is told of, else those there."""

from __future__ import annotations

import glob
import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from evaluator.languages.python.environment.project import (
    Project,
    read_project,
)
from evaluator.languages.python.environment.tables import load_pyproject
from evaluator.languages.python.test_files import PythonTests

_DESCRIPTIONS = ("pyproject.toml", "setup.cfg", "setup.py")
_DEPTHS = ("*", "*/*")
_ASIDE = ("doc", "example", "sample", "template", "tool", "script", "benchmark", ".")
MOST_MEMBERS = 20
"""Beyond so many no one environment could hold them all."""


@dataclass(frozen=True)
class Member:
    """A project below the root of a tree; `folder` is its directory there."""

    folder: str
    project: Project

    @property
    def import_root(self) -> str:
        """The directory of the tree below which its modules have their names."""
        return f"{self.folder}/{self.project.source_root}".rstrip("/")


def imported_members(tree: Path, import_roots: Collection[str]) -> tuple[Member, ...]:
    """Those projects below a tree whose sources are imported."""
    found = (Member(folder, read_project(tree / folder)) for folder in members(tree))
    return tuple(member for member in found if member.import_root in import_roots)


def members(tree: Path) -> tuple[str, ...]:
    """The directories of a tree, one or two levels below it, that hold projects with a name.

    None where the tree itself is a project, or there are more than MOST_MEMBERS. The members of a
    workspace of uv are these, whatever the tree itself is: a project that depends on them means
    them, and no release of the same name.
    """
    if workspace := tuple(sorted(_of_workspace(tree))):
        return workspace
    if read_project(tree).name or (tree / "setup.py").is_file():
        return ()
    found = tuple(itertools.islice(_members(tree), MOST_MEMBERS + 1))
    return found if len(found) <= MOST_MEMBERS else ()


def _of_workspace(tree: Path) -> set[str]:
    """What `[tool.uv.workspace]` names, and where `[tool.uv.sources]` has packages from.

    https://docs.astral.sh/uv/concepts/projects/workspaces/, https://docs.astral.sh/uv/concepts/projects/dependencies/#path
    """
    uv = load_pyproject(tree).get("tool", {}).get("uv", {})
    table = uv.get("workspace", {})
    found = _matching(tree, table.get("members")) - _matching(tree, table.get("exclude"))
    found |= _matching(tree, _paths(uv.get("sources", {})))
    return {name for name in found if _described(tree / name) and read_project(tree / name).name}


def _paths(sources: Mapping[str, Any]) -> list[Any]:
    """The directories that packages are taken from, each for all systems or for some."""
    entries = [entry for each in sources.values() for entry in _entries(each)]
    return [glob.escape(str(entry["path"])) for entry in entries if "path" in entry]


def _entries(source: Any) -> list[dict[str, Any]]:
    return source if isinstance(source, list) else [source]


def _matching(tree: Path, patterns: Any) -> set[str]:
    """The directories below a tree that patterns name; none outside of it can be named."""
    texts = [text for text in patterns or () if isinstance(text, str)]
    folders = [folder for text in texts for folder in _globbed(tree, text)]
    inside = [folder for folder in folders if tree.resolve() in folder.resolve().parents]
    return {folder.relative_to(tree).as_posix() for folder in inside}


def _globbed(tree: Path, pattern: str) -> list[Path]:
    """What a pattern matches below the tree, which is a member anyway and for which `.` stands.

    Nothing where it leads out of the tree, where nobody knows how much there is to look through, or
    is no pattern that there is: uv refuses it too.
    """
    parts = PurePosixPath(pattern).parts
    if not parts or ".." in parts:
        return []
    try:
        return [*tree.glob(pattern)]
    except (ValueError, NotImplementedError):
        return []


def _members(tree: Path) -> Iterator[str]:
    for depth in _DEPTHS:
        for folder in sorted(tree.glob(depth)):
            name = folder.relative_to(tree).as_posix()
            if _described(folder) and not _is_aside(name) and read_project(folder).name:
                yield name


def _described(folder: Path) -> bool:
    return any((folder / name).is_file() for name in _DESCRIPTIONS) and not folder.is_symlink()


def _is_aside(folder: str) -> bool:
    """Whether a directory holds tests, their data, or what is only shown."""
    aside = any(part.startswith(_ASIDE) for part in folder.split("/"))
    return aside or PythonTests().is_test(f"{folder}/setup.cfg")
