"""Where a test goes: into a file of its own, beside the tests that it is nearest to."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from evaluator.diff import Changes, Source
from evaluator.errors import PatchError
from generator.issue_only.writing import TestCode
from generator.placement import placed
from generator.retrieval import Retrieval

_LOOKED_AT = 5
_SIBLINGS = 3
"""Test files that make a directory one of tests; with fewer it may hold data for tests."""


def place(tree: Path, source: Source, retrieval: Retrieval, code: TestCode) -> Changes:
    """The changes that bring a test into a tree. Raises PatchError where it has no place.

    A file of its own, since the files that stand can take minutes to run, and may fail for reasons
    of their own where the environment is younger than they are.
    """
    ranked = [file.path for file in retrieval.test_files(_LOOKED_AT)]
    settled = [path for path in ranked if _has_siblings(tree, path)] or ranked
    if not settled:
        raise PatchError("the repository has no test file to put a test beside")
    directory = PurePosixPath(settled[0]).parent
    path = str(directory / f"{code.name}.py")
    return placed(source, path, code.source(imports_inside=source(path) is not None))


def _has_siblings(tree: Path, path: str) -> bool:
    return len(list((tree / path).parent.glob("*test*.py"))) >= _SIBLINGS
