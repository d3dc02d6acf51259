"""Values of examples: those that stand in an issue, and those that stand in code by no accident."""

from __future__ import annotations

import re
from collections.abc import Iterator

_QUOTED = re.compile(r"(?<!\w)(['\"])((?:(?!\1)[^\\\n]){3,200})\1")
_WORD = re.compile(r"\S{0,24}")
_DIGITS = 3
"""Digits of a number that code holds by accident."""
_LONGEST_ISSUE = 200_000


def quoted(issue: str) -> Iterator[str]:
    """The texts in quotation marks, of 3 to 200 characters, in the beginning of an issue."""
    return (match[2] for match in _QUOTED.finditer(issue[:_LONGEST_ISSUE]))


def unusual(text: str) -> bool:
    """Whether a text stands in two places by no accident: no name of an option or a format."""
    return not _WORD.fullmatch(text)


def unusual_number(digits: str) -> bool:
    """Whether a number, as it is written, stands in two places by no accident."""
    return len(digits.strip("-0.")) > _DIGITS
