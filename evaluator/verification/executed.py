"""The lines that the reproducing tests execute with a change, as a data file of coverage.py."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from evaluator.execution import Executor, Subject
from evaluator.model import Revision
from evaluator.regressions.contexts import write_contexts
from evaluator.run import RecordMode
from evaluator.verification.judged_tests import JudgedTests

Executed = Mapping[str, Mapping[str, Iterable[int]]]
"""Test -> path relative to the tree -> executed lines, from 1."""


def executed_lines(
    executor: Executor, subject: Subject, sets: Iterable[JudgedTests], tests: frozenset[str]
) -> Executed:
    """What each of some `tests` executes with the change; they run once more for this.

    What runs outside of tests, on import say, is under "". Raises SandboxError.
    """
    found: dict[str, Mapping[str, Iterable[int]]] = {}
    for each in sets:
        only = tests.intersection(t.test for t in each.judgement.transitions)
        if only:
            files = each.judgement.files
            run = executor.run(
                subject, Revision.FIXED, each.tests, files, only=only, record=RecordMode.LINES
            )
            found |= run.executed
    return found


def write_executed(file: Path, executed: Executed, root: Path) -> None:
    """Write, or replace, a data file of coverage.py with a context for each test.

    Paths are those of the work tree at `root`: without a setting of its own, coverage.py finds no
    file under a relative path. Raises OSError.
    """
    absolute = {
        test: {str(root.resolve() / path): lines for path, lines in files.items()}
        for test, files in executed.items()
    }
    with tempfile.TemporaryDirectory(dir=file.resolve().parent) as directory:
        data = Path(directory, "coverage")
        write_contexts(data, absolute)
        data.touch()
        data.replace(file)
