"""Fenced parts of a reply, as CommonMark has them and as models really write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$")


@dataclass(frozen=True)
class Fence:
    """A fenced part: the language it names ("" for none), its text, and whether it was closed."""

    language: str
    text: str
    closed: bool = True


def fences(reply: str) -> tuple[Fence, ...]:
    """The fenced parts of a reply in order; one that is never closed ends with the reply.

    A fence closes at a line of the same marks, at least as many, that names no language (spec
    0.31, section 4.5). Parts that are indented with their fence are moved to the left with it.
    """
    found: list[Fence] = []
    opened: re.Match[str] | None = None
    inside: list[str] = []
    for line in reply.split("\n"):
        match = _FENCE.match(line)
        if opened is None:
            opened, inside = match, []
        elif match and _closes(match, opened):
            found.append(_fence(opened, inside, closed=True))
            opened = None
        else:
            inside.append(line)
    if opened is not None:
        found.append(_fence(opened, inside if any(inside[-1:]) else inside[:-1], closed=False))
    return tuple(found)


def _closes(line: re.Match[str], opened: re.Match[str]) -> bool:
    return line["marks"].startswith(opened["marks"]) and not line["info"].strip()


def _fence(opened: re.Match[str], lines: list[str], *, closed: bool) -> Fence:
    language = (opened["info"].split() or [""])[0].lower()
    margin = len(opened["indent"])
    moved = [line[min(margin, len(line) - len(line.lstrip(" \t"))) :] for line in lines]
    return Fence(language, "".join(f"{line}\n" for line in moved), closed)
