"""Where a test goes: into a file of its own, beside the tests that it is nearest to."""

from __future__ import annotations

from pathlib import PurePosixPath

from evaluator.diff import Changes, Source
from evaluator.errors import PatchError
from generator.issue_only.writing import TestCode
from generator.placement import placed
from generator.retrieval import Retrieval


def place(source: Source, retrieval: Retrieval, code: TestCode) -> Changes:
    """The changes that bring a test in. Raises PatchError where it has no place.

    A file of its own, since the files that stand can take minutes to run, and may fail for reasons
    of their own where the environment is younger than they are.
    """
    nearest = retrieval.test_files(1)
    if not nearest:
        raise PatchError("the repository has no test file to put a test beside")
    directory = PurePosixPath(nearest[0].path).parent
    path = str(directory / f"{code.name}.py")
    return placed(source, path, code.source(imports_inside=source(path) is not None))
