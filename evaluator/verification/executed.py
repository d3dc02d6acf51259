"""Which changed lines can be executed, and which ones the reproducing tests execute."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from evaluator.diff import Source
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
    fixed = subject.fix.overlaid(subject.source)
    return (
        *_side(Revision.BASE, subject.lines.removed, subject.source),
        *_side(Revision.FIXED, subject.lines.added, fixed),
    )


def _side(
    revision: Revision, lines: Mapping[str, Mapping[int, str]], source: Source
) -> Iterator[ChangedLine]:
    for path, numbers in sorted(lines.items()):
        executable = _executable(path, source(path) or b"", numbers)
        for number, text in sorted(numbers.items()):
            state = LineState.UNCOVERED if number in executable else LineState.NOT_EXECUTABLE
            yield ChangedLine(path, number, revision, state, text)


def _executable(path: str, content: bytes, numbers: Mapping[int, str]) -> Collection[int]:
    language = source_language(path)
    return () if language is None else language.sources.executable_lines(path, content, numbers)


def loading_lines(subject: Subject) -> Iterator[tuple[Revision, str, int]]:
    """The changed lines that run when their file is loaded, and in no function."""
    fixed = subject.fix.overlaid(subject.source)
    yield from _loading(Revision.BASE, subject.lines.removed, subject.source)
    yield from _loading(Revision.FIXED, subject.lines.added, fixed)


def _loading(
    revision: Revision, lines: Mapping[str, Mapping[int, str]], source: Source
) -> Iterator[tuple[Revision, str, int]]:
    for path, numbers in sorted(lines.items()):
        language = source_language(path)
        if language is not None:
            found = language.sources.loading_lines(source(path) or b"")
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
