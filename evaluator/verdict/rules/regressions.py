"""Rules on what a change breaks: tests that judge it, and existing tests that it can affect."""

from __future__ import annotations

from evaluator.verdict.evidence import Decision, Evidence, Finding
from evaluator.verdict.rules.wording import finding, listed


def passing_test_breaks(evidence: Evidence) -> Finding | None:
    """Reject: a test passes without the fix and fails with it."""
    broken = [t for t in evidence.transitions if t.kind == "P->F" and not t.flaky]
    return finding(
        "passing_test_breaks",
        Decision.REJECT,
        "passes without the change and fails with it",
        broken,
    )


def regression(evidence: Evidence) -> Finding | None:
    """Reject: an existing test passes without the change and fails with it."""
    return finding(
        "regression",
        Decision.REJECT,
        "existing tests that pass without the change and fail with it",
        evidence.regressions.broken,
    )


def existing_tests_changed(evidence: Evidence) -> Finding | None:
    """Abstain: the change edits or deletes tests, or their data, that fail with it as they were."""
    if not evidence.unmet:
        return None
    count = len(evidence.unmet)
    what = "1 existing test expects" if count == 1 else f"{count} existing tests expect"
    reason = f"the change edits what {what}: {listed(evidence.unmet)}"
    return Finding("existing_tests_changed", Decision.ABSTAIN, reason, evidence.unmet)


def existing_tests_adapted(evidence: Evidence) -> Finding | None:
    """Abstain: existing tests fail unless what the change does to the tests' helpers is applied."""
    return finding(
        "existing_tests_adapted",
        Decision.ABSTAIN,
        "existing tests that pass only with what the change edits in the tests' own support",
        evidence.regressions.adapted,
    )
