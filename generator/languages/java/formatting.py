"""Has added lines look like the file they are added to: its kind of indentation, its line ends."""

from __future__ import annotations

import difflib
import re

from evaluator.diff import Changes, Source
from generator.languages.java.layout import SUFFIXES

_SPACES_OF_A_TAB = 4
_MARGIN = re.compile(r"^[ \t]*")


def formatted(changes: Changes, source: Source) -> Changes:
    """The same changes with the lines that they add to Java files indented as the files are.

    A file is read as ISO 8859-1, so that bytes of any encoding stay as they are.
    """
    contents = {
        path: _formatted(new, source(path)) if new is not None and path.endswith(SUFFIXES) else new
        for path, new in changes.contents.items()
    }
    return Changes(contents, changes.executable, changes.plain)


def unit_of(lines: list[str]) -> str:
    """One step of indentation in a file: a tab, or some spaces; four where none shows."""
    margins = [_MARGIN.match(line).group() for line in lines if line.strip()]  # type: ignore[union-attr]
    if sum(margin.startswith("\t") for margin in margins) > sum(m.startswith(" ") for m in margins):
        return "\t"
    widths = [len(margin) for margin in margins if len(margin) > 1]
    narrow = sum(width % _SPACES_OF_A_TAB == 2 for width in widths)
    return " " * (2 if narrow * 4 > len(widths) else _SPACES_OF_A_TAB)


def _formatted(new: bytes, old: bytes | None) -> bytes:
    if not old:
        return new
    before, after = (part.decode("latin-1").splitlines(keepends=True) for part in (old, new))
    unit, ending = unit_of(before), "\r\n" if b"\r\n" in old else "\n"
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    lines: list[str] = []
    for tag, _, _, start, end in matcher.get_opcodes():
        added = tag in ("insert", "replace")
        lines += [_as_in(line, unit, ending) if added else line for line in after[start:end]]
    return "".join(lines).encode("latin-1")


def _as_in(line: str, unit: str, ending: str) -> str:
    """A line with its tabs as spaces in a file of spaces, and the other way round."""
    bare = line.rstrip("\r\n")
    code = bare.lstrip(" \t")
    margin = bare[: len(bare) - len(code)]
    if unit == "\t":
        margin = margin.replace(" " * _SPACES_OF_A_TAB, "\t")
    else:
        margin = margin.replace("\t", unit)
    return f"{margin}{code}{ending if bare != line else ''}"
