"""Hunks of unified diffs, and the ways in which a hunk may have been meant.

The body of a hunk is first taken as its header counts it. Where that does not come out even, the
marks of the lines show how far the body goes. A hunk can then be read in more than one way; the
longest reading comes first, so that no line is lost as long as it fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

CONTEXT, REMOVED, ADDED = " ", "-", "+"

_NOTE = "\\"
_LINE_MARKS = frozenset({CONTEXT, REMOVED, ADDED})
_MARKS = _LINE_MARKS | {_NOTE, ""}

_NUMBER = r"(\d{1,9})"
_HEADER = re.compile(rf"@@ -{_NUMBER}(?:,{_NUMBER})? \+{_NUMBER}(?:,{_NUMBER})? @@(.*)")
_START = re.compile(rf"@@[^\d@]*{_NUMBER}")
_HEADING = re.compile(r"@@[^@]*@@(.*)|@@(.*)")
_SIGNATURE = re.compile(r"\d+\.\d+")
_BOUNDARIES = ("@@", "diff --git ", "diff --cc ", "diff --combined ", "Index: ", "```")


class Line(NamedTuple):
    r"""A line of a hunk: its mark and its text with the "\n", which the last of a file may lack."""

    mark: str
    text: str


@dataclass(frozen=True)
class Reading:
    """One way to read the body of a hunk, and what had to be forgiven to read it so."""

    lines: tuple[Line, ...]
    relaxations: tuple[str, ...] = ()

    @property
    def old_count(self) -> int:
        """Number of lines that the hunk takes from the old file."""
        return sum(line.mark != ADDED for line in self.lines)

    @property
    def new_count(self) -> int:
        """Number of lines that the hunk leaves in the new file."""
        return sum(line.mark != REMOVED for line in self.lines)


@dataclass(frozen=True)
class Hunk:
    """A hunk: its header as written, the first old line (None if not given), and its readings.

    `start` is what the header says: counted from 1, or, where `old_count` is 0, the line after
    which the hunk inserts. `heading` is what follows the second `@@`.
    """

    header: str
    start: int | None
    old_count: int | None
    heading: str
    readings: tuple[Reading, ...]


class _Counts(NamedTuple):
    old: int
    new: int


def read_hunk(lines: Sequence[str], index: int, *, git: bool) -> tuple[Hunk, int]:
    """Read the hunk whose header is `lines[index]`; also the index of the first line after it.

    `git` says that files start with a `diff --git` line, so that `--- ` within the counted lines
    of a hunk can only be content.
    """
    header = lines[index]
    match = _HEADER.match(header)
    if match is None:
        return _uncounted(lines, index)
    counts = _Counts(*(1 if n is None else int(n) for n in (match[2], match[4])))
    end = _counted_end(lines, index + 1, counts, git=git)
    strict = _reading(lines[index + 1 : end])
    readings = [strict] if (strict.old_count, strict.new_count) == counts else []
    if not readings or _continues(lines, end):
        longer, end = _marked(lines, index + 1, counts)
        readings = [*longer, *readings]
    heading = match[5].strip()
    return Hunk(header, int(match[1]), counts.old, heading, _longest_first(readings)), end


def is_hunk_header(line: str) -> bool:
    """Whether a hunk starts here, well written or not."""
    return line.startswith("@@") and not line.startswith("@@@")


def _longest_first(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    distinct = {reading.lines: reading for reading in readings if reading.lines}
    return tuple(sorted(distinct.values(), key=lambda reading: -len(reading.lines)))


def _uncounted(lines: Sequence[str], index: int) -> tuple[Hunk, int]:
    header = lines[index]
    start, heading = _START.match(header), _HEADING.match(header)
    readings, end = _marked(lines, index + 1, None)
    said = "" if heading is None else (heading[1] or heading[2] or "").strip()
    number = int(start[1]) if start else None
    return Hunk(header, number, None, said, _longest_first(readings)), end


def _counted_end(lines: Sequence[str], index: int, counts: _Counts, *, git: bool) -> int:
    """The index after as many lines as the header counts, or as many as carry a fitting mark."""
    old, new = counts
    while index < len(lines) and (old or new):
        line = lines[index]
        mark = line[:1]
        old -= mark != ADDED and mark != _NOTE
        new -= mark != REMOVED and mark != _NOTE
        if old < 0 or new < 0 or mark not in _MARKS:
            return index
        if mark == REMOVED and not git and _names_file(lines, index):
            return index
        index += 1
    return index + (index < len(lines) and lines[index].startswith(_NOTE))


def _marked(lines: Sequence[str], index: int, counts: _Counts | None) -> tuple[list[Reading], int]:
    """Read by the marks of the lines, up to a line without one, and, where counts allow, beyond."""
    end = _marked_end(lines, index)
    short = _recounted(counts, _reading(lines[index:end], guided=False))
    if counts is None:
        return [short], end
    lacking = min(counts.old - short.old_count, counts.new - short.new_count)
    further = end
    while further < min(end + lacking, len(lines)) and not ends_hunk(lines, further):
        further += 1
    if further == end:
        return [short], end
    further = _marked_end(lines, further)
    return [_recounted(counts, _reading(lines[index:further], guided=False)), short], further


def _marked_end(lines: Sequence[str], index: int) -> int:
    while index < len(lines) and lines[index][:1] in _MARKS and not ends_hunk(lines, index):
        index += 1
    return index


def _recounted(counts: _Counts | None, reading: Reading) -> Reading:
    said = (*_miscount(counts, _Counts(reading.old_count, reading.new_count)), *reading.relaxations)
    return Reading(reading.lines, said)


def _miscount(counts: _Counts | None, real: _Counts) -> tuple[str, ...]:
    if counts == real:
        return ()
    if counts is None:
        return ("hunk header without line counts",)
    said = f"-{counts.old} +{counts.new}"
    return (f"hunk header recounted: it says {said} lines, there are -{real.old} +{real.new}",)


def ends_hunk(lines: Sequence[str], index: int) -> bool:
    """Whether a hunk without trustworthy counts ends before this line."""
    line = lines[index]
    if line[:1] == REMOVED:
        is_signature = line.rstrip() == "--" and _starts(lines, index + 1, _SIGNATURE)
        return is_signature or _names_file(lines, index)
    return line.startswith(_BOUNDARIES)


def _names_file(lines: Sequence[str], index: int) -> bool:
    return (
        lines[index].startswith("--- ")
        and index + 1 < len(lines)
        and lines[index + 1].startswith("+++ ")
    )


def _starts(lines: Sequence[str], index: int, pattern: re.Pattern[str]) -> bool:
    return index < len(lines) and bool(pattern.match(lines[index]))


def _continues(lines: Sequence[str], index: int) -> bool:
    """Whether marked lines follow a hunk that is complete by its header, blank lines aside."""
    while index < len(lines) and not lines[index]:
        index += 1
    return index < len(lines) and lines[index][:1] in _MARKS and not ends_hunk(lines, index)


def _reading(raw: Sequence[str], *, guided: bool = True) -> Reading:
    """Make a reading of raw lines. Where no counts guide it, empty lines at the end are left off.

    A line that says that the one before has no newline is no line of its own.
    """
    last = len(raw)
    while not guided and last and not raw[last - 1]:
        last -= 1
    lines: list[Line] = []
    for line in raw[:last]:
        mark = line[:1]
        if mark == _NOTE and lines:
            lines[-1] = Line(lines[-1].mark, lines[-1].text.removesuffix("\n"))
        elif mark in _LINE_MARKS:
            lines.append(Line(mark, line[1:] + "\n"))
        elif mark != _NOTE:
            lines.append(Line(CONTEXT, line + "\n"))
    return Reading(tuple(lines), tuple(_lost_marks(raw[:last])))


def _lost_marks(raw: Sequence[str]) -> Iterator[str]:
    if "" in raw:
        yield "empty context lines had lost their leading space"
    if any(line[:1] not in _MARKS for line in raw):
        yield "lines without a mark read as context"
