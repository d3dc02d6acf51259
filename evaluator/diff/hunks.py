"""Hunks of unified diffs, and the ways in which a hunk may have been meant.

The body of a hunk is first taken as its header counts it. Where that does not come out even, the
marks of the lines tell how far the body goes. A hunk can then be read in more than one way; the
longest reading comes first, so that no line is lost as long as it fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

CONTEXT, REMOVED, ADDED = " ", "-", "+"

_NUMBER = r"(\d{1,9})"
_HEADER = re.compile(rf"@@ -{_NUMBER}(?:,{_NUMBER})? \+{_NUMBER}(?:,{_NUMBER})? @@(.*)")
_START = re.compile(rf"@@[^\d@]*{_NUMBER}")
_HEADING = re.compile(r"@@[^@]*@@(.*)|@@(.*)")
_SIGNATURE = re.compile(r"\d+\.\d+")


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
    """A hunk: its header as written, the first old line (None if not told), and its readings.

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
    strict, end = _counted(lines, index + 1, counts, lambda at: not git and _names_file(lines, at))
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


def _counted(
    lines: Sequence[str], index: int, counts: _Counts, ends: Callable[[int], bool]
) -> tuple[Reading, int]:
    """Read as many lines as the header counts, or as many of them as carry a mark."""
    body = _Body()
    while index < len(lines) and (body.old, body.new) != counts and not ends(index):
        line = lines[index]
        over = body.old + (line[:1] != ADDED) > counts.old or (
            body.new + (line[:1] != REMOVED) > counts.new
        )
        if not _is_marked(line) or (over and not line.startswith("\\")):
            break
        body.add(line)
        index += 1
    if index < len(lines) and lines[index].startswith("\\"):
        body.add(lines[index])
        index += 1
    return body.reading(guided=True), index


def _marked(lines: Sequence[str], index: int, counts: _Counts | None) -> tuple[list[Reading], int]:
    """Read by the marks of the lines, up to a line without one, and, where counts allow, beyond."""
    body = _Body()
    end = _read_on(lines, index, body, _is_marked)
    short = _recounted(counts, body.reading(guided=False))
    if counts is None or not body.lacks(counts):
        return [short], end
    further = _read_on(lines, end, body, lambda _: body.lacks(counts))
    if further == end:
        return [short], end
    further = _read_on(lines, further, body, _is_marked)
    return [_recounted(counts, body.reading(guided=False)), short], further


def _read_on(lines: Sequence[str], index: int, body: _Body, belongs: Callable[[str], bool]) -> int:
    while index < len(lines) and not ends_hunk(lines, index) and belongs(lines[index]):
        body.add(lines[index])
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
    return (
        is_hunk_header(line)
        or line.startswith(("diff --git ", "diff --cc ", "diff --combined ", "```", "Index: "))
        or _names_file(lines, index)
        or (line.rstrip() == "--" and _starts(lines, index + 1, _SIGNATURE))
    )


def _names_file(lines: Sequence[str], index: int) -> bool:
    following = lines[index + 1] if index + 1 < len(lines) else ""
    return lines[index].startswith("--- ") and following.startswith("+++ ")


def _starts(lines: Sequence[str], index: int, pattern: re.Pattern[str]) -> bool:
    return index < len(lines) and bool(pattern.match(lines[index]))


def _is_marked(line: str) -> bool:
    return line[:1] in {"", CONTEXT, REMOVED, ADDED, "\\"}


def _continues(lines: Sequence[str], index: int) -> bool:
    """Whether marked lines follow a hunk that is complete by its header, blank lines aside."""
    while index < len(lines) and not lines[index]:
        index += 1
    return index < len(lines) and not ends_hunk(lines, index) and _is_marked(lines[index])


class _Body:
    """Gathers the lines of a hunk."""

    def __init__(self) -> None:
        self.old = self.new = 0
        self._lines: list[Line] = []
        self._blank = self._unmarked = self._trailing = 0

    def add(self, line: str) -> None:
        if line.startswith("\\"):
            self._cut_newline()
            return
        marked = line[:1] in {CONTEXT, REMOVED, ADDED}
        mark, text = (line[0], line[1:]) if marked else (CONTEXT, line)
        self._lines.append(Line(mark, text + "\n"))
        self.old += mark != ADDED
        self.new += mark != REMOVED
        self._blank += not line
        self._unmarked += bool(line) and not marked
        self._trailing = 0 if line else self._trailing + 1

    def lacks(self, counts: _Counts) -> bool:
        """Whether both sides of the hunk still want lines."""
        return self.old < counts.old and self.new < counts.new

    def reading(self, *, guided: bool) -> Reading:
        """What was gathered. Where no counts guided it, empty lines at the end are left off."""
        trailing = 0 if guided else self._trailing
        said = []
        if self._blank > trailing:
            said.append("empty context lines had lost their leading space")
        if self._unmarked:
            said.append("lines without a mark read as context")
        return Reading(tuple(self._lines[: len(self._lines) - trailing]), tuple(said))

    def _cut_newline(self) -> None:
        if self._lines:
            mark, text = self._lines[-1]
            self._lines[-1] = Line(mark, text.removesuffix("\n"))
