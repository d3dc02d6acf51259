"""What was found, for people: a short line for each finding, and remarks on lines of the change."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bot.github.types import Annotation
from evaluator import ChangedLine, Decision, Finding, LineState, Revision, Transition, Verification
from evaluator.diff import Source

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


MOST_REMARKS = 200
"""Remarks on one pull request."""


def remarks(verification: Verification, head: Source) -> tuple[Annotation, ...]:
    """The remarks on a change; `head` reads its files."""
    return tuple(itertools.islice(_remarks(verification, head), MOST_REMARKS))


def _remarks(verification: Verification, head: Source) -> Iterator[Annotation]:
    if verification.evidence.reproducing:
        yield from _unexecuted(verification.lines)
    for transition in verification.own.transitions:
        if transition.kind == "P->P" and not transition.preexisting:
            line = _line_of(transition, head)
            message = "This test passes without the change too, so it does not show what it fixes."
            yield Annotation(
                transition.file, line, line, "notice", message, "Passes without the fix"
            )


def _unexecuted(lines: Iterable[ChangedLine]) -> Iterator[Annotation]:
    """Runs of added lines that no reproducing test executes, each as one remark."""
    missed = sorted(
        (line.path, line.line)
        for line in lines
        if line.side is Revision.FIXED and line.state is LineState.UNCOVERED
    )
    for _, group in itertools.groupby(
        enumerate(missed), key=lambda item: (item[1][0], item[1][1] - item[0])
    ):
        places = [place for _, place in group]
        (path, first), (_, last) = places[0], places[-1]
        message = "No test that fails without this change executes this."
        yield Annotation(path, first, last, "warning", message, "Not executed")


def _line_of(transition: Transition, head: Source) -> int:
    """The line on which the test is defined, 1 where it is not found."""
    name = re.split(r"::|\.", transition.test.partition("[")[0])[-1]
    text = (head(transition.file) or b"").decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        if re.match(rf"\s*(async\s+)?def {re.escape(name)}\b", line):
            return number
    return 1
