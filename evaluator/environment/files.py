"""Copies and links files between directories that a build may have filled with anything."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from evaluator.errors import EnvironmentBuildError


def regular_files(directory: Path) -> Iterator[str]:
    """Paths of all regular files below a directory, relative to it; links are never followed.

    Raises EnvironmentBuildError where the directory itself was replaced by a link.
    """
    _refuse_link(directory)
    for parent, directories, names in os.walk(directory, followlinks=False):
        directories[:] = [name for name in directories if name != ".git"]
        for name in names:
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink():
                yield str(path.relative_to(directory))


def copy_tree(source: Path, target: Path) -> None:
    """A private copy of a tree, without its history; links stay links."""
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(".git"))


def link_file(source: Path, target: Path) -> None:
    """The same file under a second name, or a copy where the file system has no such links."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def only_file(directory: Path, pattern: str) -> Path:
    """The one regular file that matches. Raises EnvironmentBuildError where there is none."""
    _refuse_link(directory)
    for path in directory.glob(pattern):
        if path.is_file() and not path.is_symlink():
            return path
    raise EnvironmentBuildError(f"the build left no {pattern}")


def _refuse_link(directory: Path) -> None:
    """A build that makes its own directory a link would have us hand out the host's files."""
    if directory.is_symlink():
        raise EnvironmentBuildError(f"the build replaced its directory {directory.name} by a link")
