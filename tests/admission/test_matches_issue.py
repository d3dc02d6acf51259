from __future__ import annotations

import pytest

from evaluator.admission.match import Strength, match, read_report
from evaluator.languages.python import PYTHON
from evaluator.model import Failure, Status, TestOutcome
from tests.sources import source_of


def failed(failure: Failure | None) -> TestOutcome:
    return TestOutcome("t.py::test_it", "t.py", Status.FAILED, failure=failure)


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
    outcome = failed(Failure(exception, message))
    found = match(outcome, read_report(issue, PYTHON), source_of({}))
    assert (found.strength >= Strength.FAIR) is matches


def test_no_failure_matches_nothing() -> None:
    found = match(failed(None), read_report("anything", PYTHON), source_of({}))
    assert found.strength is Strength.NONE
