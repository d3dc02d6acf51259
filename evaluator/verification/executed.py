"""Which changed lines can be executed, and which ones the reproducing tests execute."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from evaluator.execution import Executor, Subject
from evaluator.languages import source_language
from evaluator.model import ChangedLine, LineState, Revision
from evaluator.regressions.contexts import write_contexts
from evaluator.run import RecordMode
from evaluator.verification.judged_tests import JudgedTests


def executable_lines(subject: Subject) -> tuple[ChangedLine, ...]:
    """Each changed line as UNCOVERED where its language has code for it, else NOT_EXECUTABLE.

    A file that is no source has no executable line.
    """
    return tuple(line for side in _sides(subject) for line in _lines(*side))


_Side = tuple[Revision, str, Mapping[int, str], bytes]
"""A file on one side of a change: its changed lines and its content there."""


def _sides(subject: Subject) -> Iterator[_Side]:
    fixed = subject.fix.overlaid(subject.files)
    sides = (
        (Revision.BASE, subject.lines.removed, subject.files),
        (Revision.FIXED, subject.lines.added, fixed),
    )
    for revision, lines, source in sides:
        for path, numbers in sorted(lines.items()):
            yield revision, path, numbers, source(path) or b""


def _lines(
    revision: Revision, path: str, numbers: Mapping[int, str], content: bytes
) -> Iterator[ChangedLine]:
    executable = _executable(path, content, numbers)
    for number, text in sorted(numbers.items()):
        state = LineState.UNCOVERED if number in executable else LineState.NOT_EXECUTABLE
        yield ChangedLine(path, number, revision, state, text)


def _executable(path: str, content: bytes, numbers: Mapping[int, str]) -> Collection[int]:
    language = source_language(path)
    return () if language is None else language.sources.executable_lines(path, content, numbers)


def loading_lines(subject: Subject) -> Iterator[tuple[Revision, str, int]]:
    """The changed lines that run when their file is loaded, and in no function."""
    for revision, path, numbers, content in _sides(subject):
        language = source_language(path)
        if language is not None:
            found = language.sources.loading_lines(content)
            yield from ((revision, path, line) for line in sorted(numbers.keys() & set(found)))


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


def starting_processes(
    executor: Executor, subject: Subject, sets: Iterable[JudgedTests]
) -> frozenset[str]:
    """The reproducing tests that start other processes; they run once more for this.

    None where all that tests execute is unseen, as with Java. Raises SandboxError.
    """
    found: set[str] = set()
    for each in (tests for tests in sets if tests.reproducing):
        run = executor.run(
            subject,
            Revision.FIXED,
            each.tests,
            each.judgement.files,
            only=frozenset(each.reproducing),
            record=RecordMode.FUNCTIONS,
        )
        found |= each.reproducing.keys() & set(run.unseen) & run.executed.keys()
    return frozenset(found)


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
