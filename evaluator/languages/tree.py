"""The source files and the test files of a tree that was laid out."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from evaluator.languages.protocol import Framework, Language
from evaluator.languages.registry import is_test_file, runnable_test_files

_LARGEST_FILE = 2 * 1024**2


def source_paths(tree: Path, language: Language) -> tuple[str, ...]:
    """The regular source files of a language up to 2 MiB, sorted; links are not followed."""
    found = (
        place.relative_to(tree).as_posix()
        for directory, _, names in os.walk(tree)
        for place in (Path(directory, name) for name in names if name.endswith(language.suffixes))
        if _is_readable(place)
    )
    return tuple(sorted(found))


def runnable_test_paths(paths: Iterable[str], framework: Framework, tree: Path) -> tuple[str, ...]:
    """Those of the paths that a framework can be given in the tree, in their order."""
    tests = runnable_test_files(filter(is_test_file, paths))
    return tuple(path for path in tests if framework.selects(path, tree))


def _is_readable(place: Path) -> bool:
    status = place.lstat()
    return stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST_FILE
