"""Failures that say something about the test, the machine or nothing at all, not about the code."""

from __future__ import annotations

import enum
import re

from evaluator.admission.match import says_message
from evaluator.admission.report import ReportedSymptoms
from evaluator.languages import is_test_file
from evaluator.languages.failures import exception_name
from evaluator.model import Failure, Phase, Status, TestOutcome


class Refusal(enum.StrEnum):
    """Why tests are not admitted."""

    NO_TEST = "no_test"
    PASSES = "passes"
    FLAKY = "flaky"
    OUTSIDE_CALL = "outside_call"
    BROKEN_TEST = "broken_test"
    CUT_SHORT = "cut_short"
    UNREPORTED = "unreported"


_REPORTED_ENDINGS = {
    Status.TIMEOUT: re.compile(
        r"\bhangs?\b|\bhanging\b|\bhung\b|infinite(ly)? loop|\bforever\b|deadlock|time[sd]?[ -]?out"
        r"|never (return|terminat|finish|end|stop)",
        re.IGNORECASE,
    ),
    Status.CRASHED: re.compile(
        r"seg(mentation )?fault|core dumped|sigsegv|interpreter (crash|exit|die)|out of memory",
        re.IGNORECASE,
    ),
}


def refusal(outcome: TestOutcome, report: ReportedSymptoms) -> tuple[Refusal, str] | None:
    """Why a failure cannot stand for an issue, in a word and in words; None where it may."""
    if outcome.status in _REPORTED_ENDINGS:
        return _cut_short(outcome, report)
    failure = outcome.failure or Failure("", "")
    if _reports(failure, report):
        return None
    name = exception_name(failure) or "a failure"
    if outcome.phase is not Phase.CALL:
        where = outcome.phase or "an unknown phase"
        return Refusal.OUTSIDE_CALL, f"fails in {where} with {name}, before its own code ran"
    if name in report.language.failures.broken_test or _is_misuse(failure, report):
        said = failure.message.partition("\n")[0][:200]
        return Refusal.BROKEN_TEST, f"fails with {name}, which the issue does not report: {said}"
    return None


def _cut_short(outcome: TestOutcome, report: ReportedSymptoms) -> tuple[Refusal, str] | None:
    patterns = [_REPORTED_ENDINGS[outcome.status]]
    patterns += [report.language.failures.crash] if outcome.status is Status.CRASHED else []
    if any(pattern.search(report.text) for pattern in patterns):
        return None
    return Refusal.CUT_SHORT, f"ends as {outcome.status}, which the issue does not report"


def _reports(failure: Failure, report: ReportedSymptoms) -> bool:
    """Whether the issue reports exactly this: the exception, and its message if that says much."""
    if exception_name(failure) not in report.words:
        return False
    return len(failure.message.split()) < 3 or says_message(failure, report)


def _is_misuse(failure: Failure, report: ReportedSymptoms) -> bool:
    """Whether a test's own lines raise, neither by an assertion nor by what the issue names.

    What the project's lines raise is its bug. An attribute or a parameter that is missing is what
    the issue may ask for.
    """
    words = report.language.failures
    if exception_name(failure) in {*words.uninformative, "", *report.words}:
        return False
    if failure.frame is None or not is_test_file(failure.frame.path):
        return False
    missing = words.missing_parts.search(failure.message)
    return missing is None or report.words.isdisjoint(missing.groups())
