"""The source files and the test files of a tree that was laid out."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

from evaluator.languages.protocol import Framework, Language
from evaluator.languages.registry import is_test_file, runnable_test_files, source_language

_LARGEST_FILE = 2 * 1024**2


def source_paths(tree: Path, language: Language) -> tuple[str, ...]:
    """The regular source files of a language up to 2 MiB, sorted; links are not followed."""
    return _readable_paths(tree, lambda path: path.endswith(language.suffixes))


def paths_of_test_data(tree: Path) -> tuple[str, ...]:
    """The regular files of tests, up to 2 MiB, that are no source files, sorted."""
    return _readable_paths(tree, is_data_of_tests)


def is_data_of_tests(path: str) -> bool:
    """Whether a file belongs to a project's tests and is no source file."""
    return source_language(path) is None and is_test_file(path)


def _readable_paths(tree: Path, wanted: Callable[[str], bool]) -> tuple[str, ...]:
    found = (
        path
        for directory, _, names in os.walk(tree)
        for path in ((Path(directory).relative_to(tree) / name).as_posix() for name in names)
        if wanted(path) and _is_readable(tree / path)
    )
    return tuple(sorted(found))


def runnable_test_paths(paths: Iterable[str], framework: Framework, tree: Path) -> tuple[str, ...]:
    """Those of the paths that a framework can be given in the tree, in their order."""
    tests = runnable_test_files(filter(is_test_file, paths))
    return tuple(path for path in tests if framework.selects(path, tree))


def _is_readable(place: Path) -> bool:
    status = place.lstat()
    return stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST_FILE
