from __future__ import annotations

import pytest

from evaluator.admission.match import matches_issue
from evaluator.languages.python import PYTHON
from evaluator.outcome import Failure


@pytest.mark.parametrize(
    ("exception", "message", "issue", "matches"),
    [
        ("builtins.ZeroDivisionError", "division by zero", "I get a ZeroDivisionError here", True),
        ("AssertionError", "1 != 2", "AssertionError when I call it", False),
        (
            "AssertionError",
            "'just f...' != 'just fits'",
            "returns 'just f...' != 'just  fits'",
            True,
        ),
        ("KeyError", "'x'", "a KeyErrors plugin", False),
    ],
)
def test_matches_issue(exception: str, message: str, issue: str, matches: bool) -> None:
    assert matches_issue(Failure(exception, message), issue, PYTHON) is matches


def test_no_failure_matches_nothing() -> None:
    assert not matches_issue(None, "anything", PYTHON)
