"""What the rules of the verdict say, for people: one short line each, without names of tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from evaluator import Decision, Finding

_OF_TESTS: Final[Mapping[str, tuple[str, str]]] = {
    "passing_test_breaks": (
        "1 test passes without this change and fails with it",
        "{} tests pass without this change and fail with it",
    ),
    "regression": (
        "1 existing test passes without this change and fails with it",
        "{} existing tests pass without this change and fail with it",
    ),
    "given_test_still_fails": (
        "1 reproducing test still fails in the same way",
        "{} reproducing tests still fail in the same way",
    ),
    "writers_find_it_unfixed": (
        "1 reproducing test still fails in the same way",
        "{} reproducing tests still fail in the same way",
    ),
    "given_test_fails_differently": (
        "1 reproducing test fails with this change too, but in another way",
        "{} reproducing tests fail with this change too, but in another way",
    ),
    "writer_in_doubt": (
        "1 reproducing test fails with this change too",
        "{} reproducing tests fail with this change too",
    ),
    "given_test_did_not_run": (
        "1 reproducing test was not run both without this change and with it",
        "{} reproducing tests were not run both without this change and with it",
    ),
    "given_test_passes_without": (
        "1 given test passes without this change, too",
        "{} given tests pass without this change, too",
    ),
    "given_tests_not_as_reported": (
        "1 given test fails without this change, but not as the issue reports",
        "{} given tests fail without this change, but not as the issue reports",
    ),
    "existing_tests_changed": (
        "this change edits what 1 existing test expects",
        "this change edits what {} existing tests expect",
    ),
    "leans_on_other_tests": (
        "1 reproducing test ends otherwise when it runs alone",
        "{} reproducing tests end otherwise when they run alone",
    ),
    "own_test_fails": (
        "1 test that this change adds or edits fails with it",
        "{} tests that this change adds or edits fail with it",
    ),
    "existing_tests_adapted": (
        "1 existing test passes only with what this change edits in the tests' support",
        "{} existing tests pass only with what this change edits in the tests' support",
    ),
    "flaky": (
        "1 test does not end the same way when it runs again",
        "{} tests do not end the same way when they run again",
    ),
    "passes_whatever_is_asserted": (
        "1 test passes with this change whatever it asserts",
        "{} tests pass with this change whatever they assert",
    ),
}
_OTHERS: Final[Mapping[str, str]] = {
    "nothing_reproduces": "no test fails without this change and passes with it",
    "configuration_changed": "this change edits how tests are run",
    "cannot_be_read": "this change has files that cannot be read",
    "looks_at_its_tests": "the code looks at what tests it",
    "handles_only_the_example": "this change handles only the reported example",
    "wrong_reason": "without this change the tests only miss something that it adds",
    "rests_on_own_tests": "only its own tests show this, and none fails as the issue reports",
    "change_not_executed": "no reproducing test executes the changed lines",
}


def in_words(finding: Finding) -> str:
    """What a rule says, in one line."""
    if finding.rule in _OF_TESTS and finding.tests:
        one, many = _OF_TESTS[finding.rule]
        return one if len(finding.tests) == 1 else many.format(len(finding.tests))
    if finding.rule == "nothing_reproduces" and "to judge" in finding.reason:
        return finding.reason
    return _OTHERS.get(finding.rule, finding.reason)


def decisive(findings: Sequence[Finding], decision: Decision) -> Sequence[Finding]:
    """The findings that led to a decision, those first that explain the others."""
    return [finding for finding in findings if finding.decision is decision]
