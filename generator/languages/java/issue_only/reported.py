"""What an issue says of exceptions and values: what comes out, and what should."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from generator.languages.java.notation import errors

_SHORT: Mapping[str, str] = {
    "NPE": "NullPointerException",
    "IAE": "IllegalArgumentException",
    "ISE": "IllegalStateException",
    "CCE": "ClassCastException",
    "NFE": "NumberFormatException",
    "SIOOBE": "StringIndexOutOfBoundsException",
    "AIOOBE": "ArrayIndexOutOfBoundsException",
    "IOOBE": "IndexOutOfBoundsException",
    "OOM": "OutOfMemoryError",
    "SOE": "StackOverflowError",
    "UOE": "UnsupportedOperationException",
}
_EXCEPTION = re.compile(rf"\b([A-Z]\w*(?:Exception|Error)|{'|'.join(_SHORT)})s?\b")
_WANTED = re.compile(
    r"\b(?:instead of|rather than|should(?! not|n't)|expect\w*|supposed to|must|ought to)\b"
    r"[^.;\n]{0,60}?$",
    re.IGNORECASE,
)
_TURN = re.compile(r"\b(?:but|however|instead|throws?|fails?|got|raises?)\b", re.IGNORECASE)

_VALUE = (
    r"(?P<value>\"(?:[^\"\\\n]|\\.)*\"|-?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?[LlFfDd]?(?![\w.]\w)"
    r"|true|false|null)"
)
_SHOULD = re.compile(
    r"\b(?:should|expect(?:ed|ing|s)?|must|supposed to|ought to|correct(?: (?:result|value))?)\b"
    r"[^\"\d;]{0,30}?" + _VALUE,
    re.IGNORECASE,
)
_GIVES = re.compile(
    r"(?:\b(?:returns?|returned|prints?|gives?|outputs?|yields?|got|gets?|was|is|results? in"
    r"|actual(?:ly)?|currently)\b|[-=]+>|^)[^\"\d;\w]{0,6}" + _VALUE,
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Said:
    """The values that a comment or a sentence speaks of, as code; "" for those it does not."""

    actual: str = ""
    expected: str = ""


def said(words: str) -> Said:
    """What words say that an expression gives, and what it should give."""
    wanted = _SHOULD.search(words)
    rest = words if wanted is None else words[: wanted.start()] + words[wanted.end() :]
    given = _GIVES.search(rest)
    return Said(given["value"] if given else "", wanted["value"] if wanted else "")


def exceptions(issue: str) -> frozenset[str]:
    """The names of the exceptions that an issue speaks of, short forms written out."""
    return frozenset(_SHORT.get(name, name) for name in _EXCEPTION.findall(issue))


def wanted_exceptions(issue: str) -> frozenset[str]:
    """The names of exceptions that should be thrown, by the words before them.

    What a stack trace or output shows at the head of a line is thrown already.
    """
    found = set()
    for match in _EXCEPTION.finditer(issue):
        before = _WANTED.search(issue[max(0, match.start() - 90) : match.start()])
        if before and not _TURN.search(before.group().partition(" ")[2].removeprefix("throw")):
            found.add(_SHORT.get(match[1], match[1]))
    shown = {error.name.rpartition(".")[2] for error in errors(issue)}
    return frozenset(found - shown)
