"""Finds runs of lines in a file, nearest to a place first, in linear time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from evaluator.diff.text import bare
from evaluator.errors import PatchError

Normal = Callable[[str], str]
"""What two lines are compared by."""

COST_OF_READING = 5  # a byte
COST_OF_INDEXING = 30  # a line
_COST_OF_SEARCH = 2_000


class WorkBudget:
    """Bounds the work that one patch may ask for, so that none can keep fixgate busy for long.

    Counted in steps of a substring search; `spend` raises PatchError when all is spent.
    """

    def __init__(self, limit: int = 500_000_000) -> None:
        self._left = limit

    def spend(self, amount: int) -> None:
        """Take some of what is left."""
        self._left -= amount
        if self._left < 0:
            raise PatchError(
                "the patch asks for too much work; give one with exact lines, or several"
            )


def as_is(line: str) -> str:
    """The line with its ending."""
    return line


def without_trailing_space(line: str) -> str:
    """The line without white space at its end."""
    return line.rstrip()


def without_space(line: str) -> str:
    """The line without any white space."""
    return "".join(line.split())


def without_ending(line: str) -> str:
    """The line without its line ending."""
    return bare(line)


class LineIndex:
    """The lines of a file under one way of comparing, as a string with one character a line.

    The substring search of Python then finds runs of lines without ever going quadratic.
    """

    def __init__(self, lines: Sequence[str], normal: Normal, effort: WorkBudget) -> None:
        self._normal = normal
        self._effort = effort
        self._codes: dict[str, str] = {}
        try:
            self._text = "".join(self._code(normal(line)) for line in lines)
        except ValueError as error:
            raise PatchError("the file has too many different lines") from error
        self._reversed = self._text[::-1]

    def nearest(self, wanted: Sequence[str], around: int) -> Iterator[int]:
        """Where the wanted lines stand (indices of their first), nearest to `around` first."""
        pattern = self._pattern(wanted)
        if not pattern:
            return
        after = self._next(pattern, max(0, around))
        before = self._previous(pattern, max(0, around) - 1)
        while after >= 0 or before >= 0:
            if before < 0 or 0 <= after - around <= around - before:
                yield after
                after = self._next(pattern, after + 1)
            else:
                yield before
                before = self._previous(pattern, before - 1)

    def knows(self, line: str) -> bool:
        """Whether the file has such a line at all."""
        return self._normal(line) in self._codes

    def _code(self, line: str) -> str:
        return self._codes.setdefault(line, chr(len(self._codes)))

    def _pattern(self, wanted: Sequence[str]) -> str:
        codes = [self._codes.get(self._normal(line)) for line in wanted]
        return "" if None in codes else "".join(code for code in codes if code is not None)

    def _next(self, pattern: str, start: int) -> int:
        self._effort.spend(len(self._text) + _COST_OF_SEARCH)
        return self._text.find(pattern, start)

    def _previous(self, pattern: str, start: int) -> int:
        """The last place that is not after `start`."""
        self._effort.spend(len(self._text) + _COST_OF_SEARCH)
        if start < 0:
            return -1
        size = len(pattern)
        mirrored = self._reversed.find(pattern[::-1], max(0, len(self._text) - start - size))
        return -1 if mirrored < 0 else len(self._text) - mirrored - size
