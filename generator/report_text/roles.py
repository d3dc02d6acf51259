"""Tells by words whether a part of an issue is what is expected or what happens."""

from __future__ import annotations

import re

from generator.report_text.types import Role

_EXPECTED = re.compile(
    r"\b(?:expect(?:ed|ation)?|should(?!n't| not)|desired|correct(?:ly)?|ideally|"
    r"i (?:would|'d) (?:like|expect))\b",
    re.IGNORECASE,
)
_ACTUAL = re.compile(
    r"\b(?:actual(?:ly)?|current(?:ly)?|observed|but|instead|however|fails?|errors?|traceback|"
    r"wrong(?:ly)?|incorrect(?:ly)?|unexpected(?:ly)?|bug|what happens|"
    r"(?:gives?|returns?|prints?|outputs?|produces?|says?|raises?|results? in) )",
    re.IGNORECASE,
)


def role_of(words: str) -> Role:
    """The role that a heading or a sentence gives to what follows it."""
    expected, actual = _EXPECTED.search(words), _ACTUAL.search(words)
    if bool(expected) == bool(actual):
        return Role.UNSAID
    return Role.EXPECTED if expected else Role.ACTUAL
