"""What a pull changes, line by line, with the remarks that checks make on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.demo.simulator.diffs import FileDiff
from bot.demo.simulator.records import Json

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True)
class DiffRow:
    """A line of a diff; `kind` is "hunk", "added", "removed" or "kept".

    `old` and `new` are its numbers before and after, None where it is not there. `remarks` are the
    annotations that end on it.
    """

    kind: str
    old: int | None
    new: int | None
    text: str
    remarks: tuple[Json, ...] = ()


@dataclass(frozen=True)
class DiffFile:
    """A file of a pull. `elsewhere` are the annotations on lines that the diff does not show."""

    path: str
    additions: int
    deletions: int
    rows: tuple[DiffRow, ...]
    elsewhere: tuple[Json, ...]


def changed_file(diff: FileDiff, annotations: Sequence[Json]) -> DiffFile:
    """One file of a comparison, with those of the annotations that are about it."""
    here = [one for one in annotations if one["path"] == diff.path]
    rows = tuple(_rows(diff.patch or "", here))
    shown = [remark for row in rows for remark in row.remarks]
    elsewhere = tuple(one for one in here if one not in shown)
    return DiffFile(diff.path, diff.additions, diff.deletions, rows, elsewhere)


def _rows(patch: str, annotations: Sequence[Json]) -> Iterator[DiffRow]:
    old = new = 0
    for line in patch.split("\n") if patch else []:
        if hunk := _HUNK.match(line):
            old, new = int(hunk[1]), int(hunk[2])
            yield DiffRow("hunk", None, None, line)
        elif line.startswith("-"):
            yield DiffRow("removed", old, None, line[1:])
            old += 1
        elif not line.startswith("\\"):
            added = line.startswith("+")
            remarks = tuple(one for one in annotations if one["end_line"] == new)
            yield DiffRow(
                "added" if added else "kept", None if added else old, new, line[1:], remarks
            )
            old, new = old + (not added), new + 1
