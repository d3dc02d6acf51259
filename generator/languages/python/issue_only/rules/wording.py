"""What the words of a report say of exceptions and outputs."""

from __future__ import annotations

import re

from generator.languages.python.notation import EXCEPTION_NAME
from generator.report_text import IssueReport

_WANTED = re.compile(
    rf"\b(?:should|must|ought to|expect\w*|would|better to|want)\b[^.\n]{{0,60}}?"
    rf"\b(?:rais|throw|fail with|get|give|be)\w*\b[^.\n]{{0,25}}?(?P<name>{EXCEPTION_NAME})"
)
_UNWANTED = re.compile(
    r"\b(?:not|n't|never|no|without)\b|\binstead of\b|\brather than\b", re.IGNORECASE
)
_MESSAGE = re.compile(
    r"\b(?:better|clear(?:er)?|helpful|informative|confusing|misleading|unclear|cryptic|useful|"
    r"meaningful|proper|improve\w*|unhelpful|friendl\w+|wrong|incorrect)\b[^.\n]{0,20}"
    r"\b(?:error|exception|traceback)s? ?(?:message|text|report)?\b|"
    r"\b(?:error|exception) message (?:is|should|could|needs)\b",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"\b(?:wrong\w*|incorrect\w*|should|unexpected\w*|bugs?|buggy|but|instead|however|fail\w*|"
    r"broken|breaks?|inaccurate|invalid|bad|not correct|unfortunately|surpris\w+|weird|strange)\b"
    r"|n't\b|\bnot\b",
    re.IGNORECASE,
)
_RIGHT = re.compile(
    r"\b(?:works?|worked|working|correct(?:ly)?|as expected|fine|sensible|ok(?:ay)?|good|properly|"
    r"expected|right)\b",
    re.IGNORECASE,
)


def wanted_exceptions(report: IssueReport) -> frozenset[str]:
    """Names of the exceptions that the report says should be raised."""
    found = {
        match["name"].rpartition(".")[2]
        for match in _WANTED.finditer(report.text)
        if not _UNWANTED.search(match.group())
    }
    return frozenset(found | {c.wanted_exception for c in report.claims if c.wanted_exception})


def wants_other_message(report: IssueReport) -> bool:
    """Whether the exception is right and only what it says is complained about."""
    return _MESSAGE.search(report.text) is not None


def sounds_right(words: str) -> bool:
    """Whether words praise what they stand beside and find no fault with it."""
    return _RIGHT.search(words) is not None and not _WRONG.search(words)


def sounds_wrong(words: str) -> bool:
    """Whether words find fault with what they stand beside."""
    return _WRONG.search(words) is not None
