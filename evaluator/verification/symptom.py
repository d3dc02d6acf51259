"""Whether a test fails for the reason that an issue reports."""

from __future__ import annotations

import re

from evaluator.outcome import Failure

_UNTELLING = frozenset({"AssertionError", "Failed", "Exception"})
_ENOUGH_WORDS = 3


def matches_issue(failure: Failure | None, issue: str) -> bool:
    """Whether the issue names the exception of a failure, or says what its message says.

    AssertionError and the like tell nothing by themselves, so that for them the message, or a
    value in it, must stand in the issue.
    """
    if failure is None:
        return False
    text = _normal(issue)
    name = failure.exception_type.rpartition(".")[2]
    if name not in _UNTELLING and re.search(rf"\b{re.escape(name)}\b", issue):
        return True
    return any(_normal(line) in text for line in failure.message.splitlines() if _tells(line))


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()


def _tells(line: str) -> bool:
    """Whether a line is long enough that finding it in an issue is no accident."""
    return len(re.findall(r"\w+", line)) >= _ENOUGH_WORDS
