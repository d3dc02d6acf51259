"""Which changed lines can be executed at all, told by compiling the files (never running them)."""

from __future__ import annotations

import dis
import types
import warnings
from collections.abc import Iterator, Mapping

from evaluator.diff import Source
from evaluator.evaluation import ChangedLine, LineState
from evaluator.execution import Revision, Subject


def executable_lines(subject: Subject) -> tuple[ChangedLine, ...]:
    """Each changed line as UNCOVERED where Python has code for it, else NOT_EXECUTABLE.

    A file that this interpreter cannot compile counts as executable in every changed line, for
    nothing better is known of it; a file that is not Python has no executable line.
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
        starts = _line_starts(path, source(path) or b"", numbers)
        for number, text in sorted(numbers.items()):
            state = LineState.UNCOVERED if number in starts else LineState.NOT_EXECUTABLE
            yield ChangedLine(path, number, revision, state, text)


def _line_starts(path: str, content: bytes, numbers: Mapping[int, str]) -> set[int]:
    if not path.endswith(".py"):
        return set()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(content, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set(numbers)
    return set(_starts(code))


def _starts(code: types.CodeType) -> Iterator[int]:
    yield from (line for _, line in dis.findlinestarts(code) if line)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _starts(constant)
