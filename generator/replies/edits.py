"""Edits in replies: a file, what stands there, and what shall stand there instead.

Two notations are read: `<file>`, `<original>` and `<patched>` as AutoCodeRover has them, and
`<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE` below the file's name as Aider has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from generator.replies.fences import fences
from generator.replies.tags import Tagged, tagged
from generator.replies.text import UnreadableReplyError, answer_of

_TAGS = ("file", "original", "patched")
_SEARCH = re.compile(r"\s*<{5,9} ?(SEARCH|ORIGINAL|HEAD)\b.*", re.IGNORECASE)
_DIVIDER = re.compile(r"\s*={5,9}\s*")
_REPLACE = re.compile(r"\s*>{5,9} ?(REPLACE|UPDATED|PATCHED).*", re.IGNORECASE)
_FENCE_MARKS = ("```", "~~~")
_LINES_ABOVE = 4
"""How far above a SEARCH line the name of its file may stand."""


@dataclass(frozen=True)
class Edit:
    """One edit as written. `original` is empty where the file is new or grows at its end."""

    path: str
    original: str
    patched: str


def read_edits(reply: str) -> tuple[Edit, ...]:
    """The edits in AutoCodeRover's notation, fenced or bare; one file may head several of them.

    Raises UnreadableReplyError where there is none, and where a part misses its counterpart.
    """
    answer = answer_of(reply)
    edits = tuple(_paired(list(tagged(answer, _TAGS))))
    if not edits:
        raise UnreadableReplyError(_why_no_edits(answer))
    return edits


def read_search_replace(reply: str) -> tuple[Edit, ...]:
    """The edits in Aider's notation. A block without a file's name is for the file of the last.

    Raises UnreadableReplyError where there is none, for a first one without a file's name, and
    for one that is cut off.
    """
    lines = answer_of(reply).split("\n")
    edits: list[Edit] = []
    starts = [number for number, line in enumerate(lines) if _SEARCH.fullmatch(line)]
    for start, following in pairwise([*starts, len(lines)]):
        path = _path_above(lines, start) or (edits[-1].path if edits else "")
        edits.append(_block(path, lines[start + 1 : following]))
    if not edits:
        raise UnreadableReplyError("the reply holds no SEARCH/REPLACE block")
    return tuple(edits)


def _paired(parts: Sequence[Tagged]) -> Iterator[Edit]:
    path, original = "", None
    for part in parts:
        if part.tag == "file":
            path = _path(part.text)
        elif part.tag == "original":
            original = _code(part)
        elif original is None:
            raise UnreadableReplyError("a <patched> part has no <original> part before it")
        elif not path:
            raise UnreadableReplyError("an edit names no file: <file> is missing or empty")
        else:
            yield Edit(path, original, _code(part))
            original = None
    if original is not None:
        raise UnreadableReplyError("an <original> part has no <patched> part after it")


def _path(text: str) -> str:
    return text.strip().strip("`'\"*: ").removeprefix("./")


def _code(part: Tagged) -> str:
    """The code of a part, without an inner fence and without empty lines around it.

    A part that is not closed ends where the fence around it does; without one, it is cut off.
    """
    text = part.text
    inner = fences(text)
    if len(inner) == 1 and text.strip().startswith(_FENCE_MARKS):
        return _without_empty_ends(inner[0].text)
    if not part.closed:
        lines = text.split("\n")
        end = next((n for n, line in enumerate(lines) if line.startswith(_FENCE_MARKS)), None)
        if end is None:
            raise UnreadableReplyError(f"the reply is cut off: a <{part.tag}> part has no end")
        text = "\n".join(lines[:end])
    return _without_empty_ends(text)


def _without_empty_ends(text: str) -> str:
    lines = text.split("\n")
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    return "\n".join(lines)


def _why_no_edits(answer: str) -> str:
    if not answer.strip():
        return "the reply is empty"
    if "<file>" in answer:
        return "the reply names a file, and no <original> with a <patched> after it"
    return "the reply holds no edit: no <file>, <original> and <patched>"


def _path_above(lines: Sequence[str], start: int) -> str:
    """The file's name in the lines above a block, past a fence; "" where there is none."""
    for line in reversed(lines[max(0, start - _LINES_ABOVE) : start]):
        if _REPLACE.fullmatch(line):
            return ""
        words = line.strip().lstrip("#").removeprefix("`" * 3).split()
        path = _path(words[-1]) if words else ""
        if "." in path or "/" in path:
            return path
    return ""


def _block(path: str, lines: Sequence[str]) -> Edit:
    divider = next((n for n, line in enumerate(lines) if _DIVIDER.fullmatch(line)), None)
    end = next((n for n, line in enumerate(lines) if _REPLACE.fullmatch(line)), None)
    if divider is None or end is None or end < divider:
        raise UnreadableReplyError("a SEARCH/REPLACE block has no ======= or no >>>>>>> REPLACE")
    if not path:
        raise UnreadableReplyError("a SEARCH/REPLACE block has no file's name above it")
    original = _without_empty_ends("\n".join(lines[:divider]))
    return Edit(path, original, _without_empty_ends("\n".join(lines[divider + 1 : end])))
