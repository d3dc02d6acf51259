"""Where a test goes: into a file of its own, beside the tests that it is nearest to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from evaluator import PatchError, Subject
from evaluator.diff import Changes
from generator.languages.python.issue_only.frameworks import TestStyle
from generator.languages.python.issue_only.test_code import DraftTest
from generator.languages.python.placement import placed
from generator.retrieval import Retrieval

_LOOKED_AT = 5
_SIBLINGS = 3
"""Test files that make a directory one of tests; with fewer it may hold data for tests."""


def place(subject: Subject, retrieval: Retrieval, code: DraftTest, style: TestStyle) -> Changes:
    """The changes that bring a test into a tree. Raises PatchError where it has no place.

    A file of its own, since the files that stand can take minutes to run, and may fail for reasons
    of their own where the environment is younger than they are. Definitions that belong to an
    application get a package of their own, where nothing else has their names.
    """
    if code.definitions:
        return _application(subject, code, style)
    directory = _directory(subject.pristine, retrieval)
    path = next(
        path
        for path in (f"{directory}/{name}.py" for name in _names(code.name))
        if subject.source(path) is None
    )
    return placed(subject.source, path, code.source(style.case))


def _application(subject: Subject, code: DraftTest, style: TestStyle) -> Changes:
    package = f"tests/{code.name}"
    if (subject.pristine / package).exists():
        raise PatchError(f"{package} stands there already")
    marker = placed(subject.source, f"{package}/__init__.py", "# The application of tests.py.")
    tests = placed(subject.source, f"{package}/tests.py", code.source(style.case))
    return Changes({**marker.contents, **tests.contents})


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
