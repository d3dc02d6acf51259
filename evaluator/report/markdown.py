"""A verification as a page of Markdown: the summary of a CI job."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.model import Side, Transition
from evaluator.report.failures import failure_in_words
from evaluator.report.verification import (
    MOST_TESTS,
    coverage_in_words,
    environment_lines,
    existing_tests,
    hunks_tested,
    left_out,
    rank,
    says_something,
)
from evaluator.report.wording import shortened
from evaluator.verdict import Decision
from evaluator.verification.verify import Verification

_LONGEST = 200
_LONGEST_REASON = 1000
"""A reason names up to three tests and ends with what is said of them."""

_TITLES = {
    Decision.ACCEPT: "✅ fixgate accepts this change",
    Decision.REJECT: "❌ fixgate rejects this change",
    Decision.ABSTAIN: "⚪ fixgate cannot tell whether this change is right",
}


def markdown(verification: Verification) -> str:
    """The verdict with its reasons, the tests that say something, and what was checked."""
    parts = ("\n".join(part) for part in _parts(verification))
    return "\n\n".join(filter(None, parts)) + "\n"


def _parts(verification: Verification) -> Iterator[list[str]]:
    yield [f"## {_TITLES[verification.verdict.decision]}"]
    yield [f"- {_code(reason, _LONGEST_REASON)}" for reason in verification.verdict.reasons]
    yield _table(verification)
    yield [f"- {line}" for line in _checked(verification)]


def _table(verification: Verification) -> list[str]:
    source = verification.change.tests.contents.get
    judged, verdict = verification.evidence.transitions, verification.verdict
    shown = [t for t in judged if says_something(t, verdict)]
    shown = sorted([*shown, *verification.evidence.regressions.failing], key=rank)
    if not shown:
        return []
    head = ["| test | without the change | with it | how it fails |", "| --- | --- | --- | --- |"]
    more = [f"\n{len(shown) - MOST_TESTS} more tests"] if len(shown) > MOST_TESTS else []
    rows = (
        [
            _code(t.test),
            t.before.status,
            t.after.status,
            _code(failure_in_words(t, _failing(t), source)),
        ]
        for t in shown[:MOST_TESTS]
    )
    return [*head, *(f"| {' | '.join(row)} |" for row in rows), *more]


def _failing(transition: Transition) -> Side:
    return transition.after if transition.after.status.fails else transition.before


def _checked(verification: Verification) -> Iterator[str]:
    evidence = verification.evidence
    yield coverage_in_words(verification)
    if evidence.parts:
        yield hunks_tested(evidence.parts)
    if evidence.regressions.budget:
        yield existing_tests(evidence.regressions)
    if verification.left_out:
        yield f"not run: {left_out(verification.left_out)}"
    yield from environment_lines(verification, _code)


def _code(text: str, longest: int = _LONGEST) -> str:
    """Text of strangers on one line as inline code, which nothing in it can end."""
    line = shortened(text, longest).replace("|", "\\|")
    if not line:
        return ""
    fence = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    return f"{fence} {line} {fence}"
