"""Puts placed hunks into a file's lines, and numbers the lines that they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from evaluator.diff.hunks import ADDED, REMOVED
from evaluator.diff.placing import Placement
from evaluator.diff.text import bare, ending_of


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
