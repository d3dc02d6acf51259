"""The dependencies that the files of a project declare, for itself and for its tests."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.languages.python.environment.discover import discover_recipe
from evaluator.languages.python.environment.requirements import (
    PROJECT_FILES,
    TOML_LOCKS,
    read_requirement_files,
)

_PATTERNS: tuple[str, ...] = (*PROJECT_FILES, *TOML_LOCKS, "Pipfile.lock", "tox.ini", "noxfile.py")
_PATTERNS += ("*requirements*.txt", "requirements/*.txt", "*requirements*.in", "requirements/*.in")


@dataclass(frozen=True)
class Declared:
    """Requirements (PEP 508), and pins of lock files, which only constrain what is wanted."""

    requirements: frozenset[str]
    pins: frozenset[str]


def declares_dependencies(path: str) -> bool:
    """Whether `declared` reads a file of this path."""
    return PurePosixPath(path).parent.name in ("", "requirements") and any(
        fnmatch.fnmatchcase(path, pattern) for pattern in _PATTERNS
    )


def dependency_files(tree: Path) -> Iterable[str]:
    """The files of a tree that `declared` reads, relative to it."""
    found = (path for pattern in _PATTERNS for path in tree.glob(pattern) if path.is_file())
    return sorted({str(path.relative_to(tree)) for path in found})


def declared(tree: Path) -> Declared:
    """What a tree declares; only its `dependency_files` need to be there. Raises InputError."""
    recipe = discover_recipe(tree)
    requirements, pins = read_requirement_files(tree, recipe.requirement_files)
    return Declared(frozenset({*recipe.packages, *requirements}), frozenset(pins))
