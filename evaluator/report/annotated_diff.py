"""The diff of a fix with what the tests of each prediction do with its changed lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.model import ChangeCoverage, LineState, Revision

Place = tuple[Revision, str, int]

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_REVISIONS = {"-": Revision.BASE, "+": Revision.FIXED}
_KINDS = {"-": "removed", "+": "added", " ": "context"}
_TOLD = ("rename from", "rename to", "new file", "deleted file", "Binary files")


@dataclass(frozen=True)
class DiffLine:
    """A line of a unified diff. `kind` is file, hunk, context, added or removed.

    `number` is the line's number on its side (on R∘X for context; None for headings). `states`
    has an entry for each prediction where the line is a changed line of code, else it is empty.
    """

    kind: str
    text: str
    number: int | None = None
    states: tuple[LineState | None, ...] = ()


def annotate(patch: str, coverages: Sequence[ChangeCoverage]) -> Iterator[DiffLine]:
    """The lines of `patch`, with the state of each changed line under each of `coverages`."""
    known = [_states(coverage) for coverage in coverages]
    paths = {"-": "", "+": ""}
    numbers = left = {"-": 0, "+": 0}
    for raw in patch.split("\n"):
        text = raw.rstrip("\r")
        if hunk := _HUNK.match(text):
            numbers = {"-": int(hunk[1]), "+": int(hunk[3])}
            left = {"-": int(hunk[2] or 1), "+": int(hunk[4] or 1)}
            yield DiffLine("hunk", text)
        elif any(left.values()) and not text.startswith("\\"):
            sign = text[:1] if text[:1] in _REVISIONS else " "
            yield _line(sign, text[1:], paths, numbers, known)
            for side in _REVISIONS if sign == " " else sign:
                numbers[side] += 1
                left[side] = max(left[side] - 1, 0)
        elif text.startswith(("--- ", "+++ ")):
            paths[text[0]] = _path(text)
            yield from _heading(text[0], paths)
        elif text.startswith(_TOLD):
            yield DiffLine("file", text)


def _states(coverage: ChangeCoverage) -> Mapping[Place, LineState]:
    return {(line.side, line.path, line.line): line.state for line in coverage.lines}


def _path(header: str) -> str:
    return re.sub(r"^[ab]/", "", header[4:].partition("\t")[0])


def _heading(sign: str, paths: Mapping[str, str]) -> Iterator[DiffLine]:
    if sign == "+":
        name = paths["-"] if paths["+"] == "/dev/null" else paths["+"]
        yield DiffLine("file", name)


def _line(
    sign: str,
    text: str,
    paths: Mapping[str, str],
    numbers: Mapping[str, int],
    known: Sequence[Mapping[Place, LineState]],
) -> DiffLine:
    if sign == " ":
        return DiffLine("context", text, numbers["+"])
    place = (_REVISIONS[sign], paths[sign], numbers[sign])
    states = tuple(found.get(place) for found in known)
    return DiffLine(_KINDS[sign], text, place[2], states if any(states) else ())
