"""What was found, for people: a short line for each finding, and remarks on lines of the change."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from bot.github.types import Annotation
from bot.messages.phrases import OF_TESTS, OTHERS
from evaluator import Decision, Finding, Transition, Verification
from evaluator.diff import Source
from evaluator.report.verification import unexecuted


def in_words(finding: Finding) -> str:
    """What a rule says, in one line."""
    if finding.rule in OF_TESTS and finding.tests:
        one, many = OF_TESTS[finding.rule]
        return one if len(finding.tests) == 1 else many.format(len(finding.tests))
    return OTHERS.get(finding.rule, finding.reason)


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
        for path, first, last in unexecuted(verification.lines):
            message = "No test that fails without this change executes this."
            title = "Not covered by any reproducing test"
            yield Annotation(path, first, last, "warning", message, title)
    for transition in verification.own.transitions:
        if transition.kind == "P->P" and not transition.preexisting:
            line = _line_of(transition, head)
            message = "This test passes without the change too, so it does not show what it fixes."
            yield Annotation(
                transition.file, line, line, "notice", message, "Passes without the change"
            )


def _line_of(transition: Transition, head: Source) -> int:
    """The line on which the test is defined, 1 where it is not found."""
    name = re.split(r"::|\.", transition.test.partition("[")[0])[-1]
    text = (head(transition.file) or b"").decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        if re.match(rf"\s*(async\s+)?def {re.escape(name)}\b", line):
            return number
    return 1
