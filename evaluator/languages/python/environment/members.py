"""The projects of a tree that is none itself: a repository of several packages."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from evaluator.languages.python.environment.project import read_project
from evaluator.languages.python.test_files import PythonTests

_DESCRIPTIONS = ("pyproject.toml", "setup.cfg", "setup.py")
_DEPTHS = ("*", "*/*")
_ASIDE = ("doc", "example", "sample", "template", "tool", "script", "benchmark", ".")
MOST_MEMBERS = 20
"""Beyond so many no one environment could hold them all."""


def members(tree: Path) -> tuple[str, ...]:
    """The directories of a tree, one or two levels below it, that hold projects with a name.

    None where the tree itself is a project, or there are more than MOST_MEMBERS.
    """
    if read_project(tree).name or (tree / "setup.py").is_file():
        return ()
    found = tuple(itertools.islice(_members(tree), MOST_MEMBERS + 1))
    return found if len(found) <= MOST_MEMBERS else ()


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
