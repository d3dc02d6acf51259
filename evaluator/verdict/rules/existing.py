"""Rules on existing tests: those that a change neither brings along nor edits."""

from __future__ import annotations

from evaluator.verdict.evidence import Decision, Evidence, Finding
from evaluator.verdict.rules.wording import finding


def regression(evidence: Evidence) -> Finding | None:
    """Reject: an existing test passes without the change and fails with it."""
    return finding(
        "regression",
        Decision.REJECT,
        "existing tests that pass without the change and fail with it",
        evidence.regressions.broken,
    )


def existing_tests_adapted(evidence: Evidence) -> Finding | None:
    """Abstain: existing tests fail unless what the change does to the tests' helpers is applied."""
    return finding(
        "existing_tests_adapted",
        Decision.ABSTAIN,
        "existing tests that pass only with what the change edits in the tests' own support",
        evidence.regressions.adapted,
    )
