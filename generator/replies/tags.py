"""Parts of a reply between tags such as `<patch>` and `</patch>`, in linear time."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Tagged:
    """The text between a tag and its end.

    Without an end it goes to the next tag that is looked for, or to the end of the reply.
    """

    tag: str
    text: str
    closed: bool = True


def tagged(reply: str, tags: Collection[str]) -> Iterator[Tagged]:
    """The parts within any of some tags, in order. What stands within a part is its text."""
    names = "|".join(re.escape(tag) for tag in tags)
    marks = re.finditer(rf"<(?P<end>/?)(?P<tag>{names})>", reply, re.IGNORECASE)
    opened: re.Match[str] | None = None
    for mark in marks:
        name = mark["tag"].lower()
        if opened is None:
            opened = None if mark["end"] else mark
        elif mark["end"] and name == opened["tag"].lower():
            yield Tagged(name, reply[opened.end() : mark.start()])
            opened = None
        elif not mark["end"] and name != opened["tag"].lower():
            yield _unclosed(reply, opened, mark.start())
            opened = mark
    if opened is not None:
        yield _unclosed(reply, opened, len(reply))


def _unclosed(reply: str, opened: re.Match[str], end: int) -> Tagged:
    return Tagged(opened["tag"].lower(), reply[opened.end() : end], closed=False)
