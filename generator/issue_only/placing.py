"""Where a test goes: into a file of its own, beside the tests that it is nearest to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from evaluator.diff import Changes
from evaluator.errors import PatchError
from evaluator.execution import Revision, Subject
from generator.issue_only.writing import TestCode
from generator.placement import placed
from generator.retrieval import Retrieval

_LOOKED_AT = 5
_SIBLINGS = 3
"""Test files that make a directory one of tests; with fewer it may hold data for tests."""


def place(subject: Subject, retrieval: Retrieval, code: TestCode) -> Changes:
    """The changes that bring a test into a tree. Raises PatchError where it has no place.

    A file of its own, since the files that stand can take minutes to run, and may fail for reasons
    of their own where the environment is younger than they are.
    """
    directory = _directory(subject.pristine, retrieval)
    path = next(
        path
        for path in (f"{directory}/{name}.py" for name in _names(code.name))
        if subject.source(path) is None
    )
    framework = subject.environments[Revision.BASE].recipe.framework
    return placed(subject.source, path, code.source(in_class=framework == "unittest"))


def _names(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in itertools.count(2))


def _directory(tree: Path, retrieval: Retrieval) -> PurePosixPath:
    ranked = [file.path for file in retrieval.test_files(_LOOKED_AT)]
    settled = [path for path in ranked if _has_siblings(tree, path)] or ranked
    if not settled:
        raise PatchError("the repository has no test file to put a test beside")
    return PurePosixPath(settled[0]).parent


def _has_siblings(tree: Path, path: str) -> bool:
    return len(list((tree / path).parent.glob("*test*.py"))) >= _SIBLINGS
