"""Finds where a hunk belongs in a file: exactly, shifted, or with leniency; puts it there.

The order of leniencies follows patch(1): other line endings, white space at line ends, any white
space, and last with up to three outer context lines dropped at either end. What had to be forgiven
is part of the result.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from evaluator.diff.hunks import ADDED, CONTEXT, REMOVED, Hunk, Line, Reading
from evaluator.diff.search import (
    COST_OF_INDEXING,
    LineIndex,
    Normal,
    WorkBudget,
    as_is,
    without_ending,
    without_space,
    without_trailing_space,
)
from evaluator.diff.text import bare, ending_of
from evaluator.errors import PatchError

MOST_FUZZ = 3
"""Most context lines that are dropped at one end of a hunk."""

_TELLING = re.compile(r"\w")

_NORMALS: tuple[tuple[Normal, str], ...] = (
    (as_is, ""),
    (without_ending, "line endings differ"),
    (without_trailing_space, "white space at line ends differs"),
    (without_space, "white space differs"),
)


@dataclass(frozen=True)
class Placement:
    """Where a hunk goes: the index of the first old line, and the lines that are set against it.

    `lines` may be fewer than the hunk has (fuzz). `exact` says that they equal the file's own,
    endings included; `spaced` that they equal them only without white space. `present` says that
    the hunk's result stands there already, so that nothing is to be done.
    """

    start: int
    end: int
    lines: tuple[Line, ...]
    relaxations: tuple[str, ...]
    exact: bool = True
    spaced: bool = False
    present: bool = False


@dataclass(frozen=True)
class _Leniency:
    normal: Normal
    said: str
    front: int
    back: int


_ENDS = sorted(itertools.product(range(MOST_FUZZ + 1), repeat=2), key=lambda e: (max(e), sum(e)))
_LENIENCIES = tuple(
    _Leniency(normal, said, front, back) for front, back in _ENDS for normal, said in _NORMALS
)
_UNTRIMMED, _TRIMMED = _LENIENCIES[: len(_NORMALS)], _LENIENCIES[len(_NORMALS) :]


class Placer:
    """Places the hunks of one file, one after the other, so that no two of them overlap."""

    def __init__(self, lines: Sequence[str], effort: WorkBudget) -> None:
        self._lines = lines
        self._effort = effort
        self._indices: dict[Normal, LineIndex] = {}
        self._taken: list[tuple[int, int]] = []
        self._drift = 0
        self._expected = 0

    def place(self, hunk: Hunk) -> Placement:
        """Find the place of a hunk. Raises PatchError, saying why, where it has none."""
        if not hunk.readings:
            raise PatchError("the hunk holds no lines")
        self._expected = self._expectation(hunk)
        found = itertools.chain(
            self._tries(hunk, _UNTRIMMED), self._present(hunk), self._tries(hunk, _TRIMMED)
        )
        place = next(found, None)
        if place is None:
            raise PatchError(self._mismatch(hunk))
        bisect.insort(self._taken, (place.start, place.end))
        return place

    def _tries(self, hunk: Hunk, leniencies: Iterable[_Leniency]) -> Iterator[Placement]:
        for leniency, reading in itertools.product(leniencies, hunk.readings):
            lines = _trimmed(reading.lines, leniency.front, leniency.back)
            old = [line.text for line in lines if line.mark != ADDED]
            if old and (leniency in _PLAIN or any(map(_TELLING.search, old))):
                yield from self._matches(hunk, reading, lines, leniency)
            elif leniency is _UNTRIMMED[0] and not old:
                yield from self._insertion(hunk, reading)

    def _matches(
        self, hunk: Hunk, reading: Reading, lines: tuple[Line, ...], leniency: _Leniency
    ) -> Iterator[Placement]:
        old = [line.text for line in lines if line.mark != ADDED]
        expected = self._expected + leniency.front
        for start in self._starts(old, expected, leniency.normal):
            shift = start - leniency.front - _stated(hunk)
            said = (*reading.relaxations, *_forgiven(hunk, leniency, shift))
            if hunk.start is not None:
                self._drift = shift
            exact, spaced = leniency.normal is as_is, leniency.normal is without_space
            yield Placement(start, start + len(old), lines, said, exact, spaced)

    def _starts(self, old: Sequence[str], expected: int, normal: Normal) -> Iterator[int]:
        """Free places of the lines, nearest to the expected one first."""
        size = len(old)
        end = expected + size
        if normal is as_is and self._lines[expected:end] == old and self._is_free(expected, end):
            yield expected
        for start in self._index(normal).nearest(old, expected):
            if self._is_free(start, start + size):
                yield start

    def _insertion(self, hunk: Hunk, reading: Reading) -> Iterator[Placement]:
        """The place of a hunk without any old line, which only its line number can show."""
        if hunk.start is None:
            return
        said = reading.relaxations
        if hunk.old_count != 0:
            said = (*said, "no context: placed by its line number")
        if self._drift:
            said = (*said, _shifted(self._drift))
        start = self._expected
        if start > len(self._lines):
            start, said = len(self._lines), (*said, "beyond the end: put at the end of the file")
        if self._is_free(start, start):
            yield Placement(start, start, reading.lines, said)

    def _present(self, hunk: Hunk) -> Iterator[Placement]:
        """The place where a hunk has been applied already."""
        lines = hunk.readings[0].lines
        new = [line.text for line in lines if line.mark != REMOVED]
        added = [line.text for line in lines if line.mark == ADDED]
        if len(new) > 1 and any(map(_TELLING.search, added)):
            for start in self._index(without_ending).nearest(new, self._expected):
                if self._is_free(start, start + len(new)):
                    said = ("already applied: its result stands in the file",)
                    yield Placement(start, start + len(new), lines, said, present=True)

    def _expectation(self, hunk: Hunk) -> int:
        """The index where a hunk should go: by its number, else by its heading, else onwards."""
        if hunk.start is not None:
            return max(0, _stated(hunk) + self._drift)
        after = self._taken[-1][1] if self._taken else 0
        self._effort.spend(len(self._lines) * COST_OF_INDEXING)
        titles = (i for i, line in enumerate(self._lines) if hunk.heading in line)
        return next(titles, after) if _TELLING.search(hunk.heading) else after

    def _is_free(self, start: int, end: int) -> bool:
        at = bisect.bisect_left(self._taken, (start, end))
        neighbours = self._taken[max(0, at - 1) : at + 1]
        return not any(start < taken_end and taken < end for taken, taken_end in neighbours)

    def _index(self, normal: Normal) -> LineIndex:
        if normal not in self._indices:
            self._effort.spend(len(self._lines) * COST_OF_INDEXING)
            self._indices[normal] = LineIndex(self._lines, normal, self._effort)
        return self._indices[normal]

    def _mismatch(self, hunk: Hunk) -> str:
        old = [line.text for line in hunk.readings[0].lines if line.mark != ADDED]
        if not old:
            return "the hunk has neither context nor a line number of its own"
        index = self._index(without_space)
        for line in old:
            if not index.knows(line):
                return f"it fits nowhere: the file has no line {line.strip()[:120]!r}"
        return "it fits nowhere: the file has its lines, but not one after the other and unchanged"


_PLAIN = frozenset(_UNTRIMMED[:-1])


def _trimmed(lines: tuple[Line, ...], front: int, back: int) -> tuple[Line, ...]:
    """The lines without some outer context; none where there is not that much of it."""
    last = len(lines) - back
    dropped = (*lines[:front], *lines[last:])
    if last <= front or any(line.mark != CONTEXT for line in dropped):
        return ()
    return lines[front:last]


def _stated(hunk: Hunk) -> int:
    """The index that the header states; the line that a pure insertion names is the one before."""
    start = hunk.start or 0
    return start if hunk.old_count == 0 else max(0, start - 1)


def _forgiven(hunk: Hunk, leniency: _Leniency, shift: int) -> Iterator[str]:
    if hunk.start is not None and shift:
        yield _shifted(shift)
    if leniency.said:
        yield leniency.said
    for count, end in ((leniency.front, "leading"), (leniency.back, "trailing")):
        if count:
            yield f"{count} {end} context line{'s' if count > 1 else ''} ignored"


def _shifted(lines: int) -> str:
    return f"shifted by {lines:+d} line{'s' if abs(lines) != 1 else ''}"


@dataclass(frozen=True)
class PatchedFile:
    """A file after its hunks, and the changed lines of both sides, numbered from 1."""

    text: str
    removed: dict[int, str] = field(default_factory=dict)
    added: dict[int, str] = field(default_factory=dict)


def edited(lines: Sequence[str], places: Iterable[Placement]) -> PatchedFile:
    """The file with the hunks at their places; what they leave alone keeps every byte."""
    return _Editor(lines).edited(sorted(places, key=lambda place: (place.start, place.end)))


class _Editor:
    def __init__(self, lines: Sequence[str]) -> None:
        self._old = lines
        self._ending = ending_of(lines)
        self._new: list[str] = []
        self._removed: dict[int, str] = {}
        self._added: dict[int, str] = {}

    def edited(self, places: Iterable[Placement]) -> PatchedFile:
        done = 0
        for place in places:
            self._new += self._old[done : place.start]
            if place.present:
                self._new += self._old[place.start : place.end]
            else:
                self._put(place)
            done = place.end
        self._new += self._old[done:]
        return PatchedFile("".join(self._joined()), self._removed, self._added)

    def _put(self, place: Placement) -> None:
        at, indent = place.start, _indentation(place, self._old)
        for mark, text in place.lines:
            if mark == ADDED:
                self._new.append(text if place.exact else self._fitted(text, indent))
                self._added[len(self._new)] = bare(self._new[-1])
                continue
            if mark == REMOVED:
                self._removed[at + 1] = bare(self._old[at])
            else:
                self._new.append(self._old[at])
            at += 1

    def _fitted(self, text: str, indent: int) -> str:
        """An added line with the file's own line ending, and moved as its surroundings are."""
        ending = self._ending if text.endswith("\n") else ""
        line = bare(text)
        if indent > 0 and line.strip():
            line = " " * indent + line
        elif indent < 0 and not line[:-indent].strip():
            line = line[-indent:]
        return line + ending

    def _joined(self) -> Iterator[str]:
        """The new lines; only the last may lack its ending."""
        for number, line in enumerate(self._new, start=1):
            whole = line.endswith("\n") or number == len(self._new)
            yield line if whole else line + self._ending


def _indentation(place: Placement, lines: Sequence[str]) -> int:
    """By how many columns all old lines of a hunk stand further right in the file; 0 if unequal."""
    if not place.spaced:
        return 0
    wanted = [line.text for line in place.lines if line.mark != ADDED]
    real = lines[place.start : place.end]
    shifts = {_margin(b) - _margin(a) for a, b in zip(wanted, real, strict=True) if a.strip()}
    return shifts.pop() if len(shifts) == 1 else 0


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
