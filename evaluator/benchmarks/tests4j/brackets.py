"""The brackets of Java code that need not be whole: a model may have stopped in its middle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)|"(?:[^"\\\n]|\\.)*"?'
    r"|'(?:[^'\\\n]|\\.)*'?|//[^\n]*|/\*.*?(?:\*/|\Z)|[{}()\[\];]",
    re.DOTALL,
)
_CLOSING = {"{": "}", "(": ")", "[": "]"}


@dataclass(frozen=True)
class BracketMark:
    """A bracket or semicolon outside of comments and literals, and where it ends in the text.

    `still_open` are the brackets that are open behind it, outermost first.
    """

    text: str
    end: int
    still_open: str


def marks(code: str) -> Iterator[BracketMark]:
    """The brackets and semicolons of a text; a closing bracket closes all up to its own kind."""
    stack = ""
    for match in _TOKEN.finditer(code):
        found = match[0]
        if found in _CLOSING:
            stack += found
        elif found in _CLOSING.values():
            stack = _without(stack, found)
        if found in "{}()[];":
            yield BracketMark(found, match.end(), stack)


def _without(stack: str, closing: str) -> str:
    opening = next(begin for begin, end in _CLOSING.items() if end == closing)
    place = stack.rfind(opening)
    return stack if place < 0 else stack[:place]


def end_of_outer_braces(code: str) -> int | None:
    """Where the first braces that stand outside of parentheses end; None where they stay open."""
    opened = False
    for mark in marks(code):
        opened |= mark.text == "{" and mark.still_open == "{"
        if opened and mark.text == "}" and not mark.still_open:
            return mark.end
    return None


def end_of_last_statement(code: str) -> BracketMark | None:
    """The last semicolon inside of braces; None where there is none."""
    ends = [m for m in marks(code) if m.text == ";" and m.still_open.endswith("{")]
    return ends[-1] if ends else None


def closing(still_open: str) -> str:
    """What closes brackets; a call that ends so among statements ends with a semicolon."""
    text = ""
    for place in range(len(still_open) - 1, -1, -1):
        text += _CLOSING[still_open[place]]
        if still_open[place] == "(" and still_open[:place].endswith("{"):
            text += ";"
    return text
