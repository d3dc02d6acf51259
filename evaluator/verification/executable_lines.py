"""Which changed lines can be executed at all, found without running them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from evaluator.diff import Source
from evaluator.execution import Subject
from evaluator.languages import source_language
from evaluator.model import ChangedLine, LineState, Revision


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
