"""Rules on whether the runs can be believed at all, and tell of what the change does."""

from __future__ import annotations

import re

from evaluator.evaluation import Transition
from evaluator.outcome import Phase, Status
from evaluator.sandbox.protocol import Ending
from evaluator.verdict.evidence import Decision, Evidence, Finding
from evaluator.verdict.rules.wording import finding


def flaky(evidence: Evidence) -> Finding | None:
    """Abstain: a test disagrees with itself."""
    unstable = [t for t in evidence.transitions if t.flaky and not t.preexisting]
    return finding("flaky", Decision.ABSTAIN, "does not end the same way when run again", unstable)


def run_cut_short(evidence: Evidence) -> Finding | None:
    """Abstain: a run did not come to its end."""
    runs = [
        run for j in evidence.judgements for pair in j.attempts for run in (pair.base, pair.fixed)
    ]
    endings = sorted({run.ending.value for run in runs if run.ending is not Ending.EXITED})
    if not endings:
        return None
    return Finding(
        "run_cut_short", Decision.ABSTAIN, f"a test run was cut short: {', '.join(endings)}"
    )


def configuration_changed(evidence: Evidence) -> Finding | None:
    """Abstain: the change edits what steers the tests, and could make them say anything."""
    if not evidence.configuration:
        return None
    files = ", ".join(evidence.configuration)
    return Finding(
        "configuration_changed", Decision.ABSTAIN, f"the change edits how tests are run: {files}"
    )


def looks_at_its_tests(evidence: Evidence) -> Finding | None:
    """Abstain: the changed code can know that it is tested, or change what tests it."""
    if not evidence.evasions:
        return None
    what = ", ".join(evidence.evasions[:5])
    reason = f"the change reaches for what runs or tests it: {what}"
    return Finding("looks_at_its_tests", Decision.ABSTAIN, reason)


def passes_whatever_is_asserted(evidence: Evidence) -> Finding | None:
    """Abstain: tests pass with the change even where their assertions were turned false."""
    return finding(
        "passes_whatever_is_asserted",
        Decision.ABSTAIN,
        "passes with the change whatever it asserts",
        evidence.insensitive,
    )


def wrong_reason(evidence: Evidence) -> Finding | None:
    """Abstain: without the fix the tests fail only because they cannot find what it adds."""
    tests = evidence.reproducing
    if not tests or not all(_lacks_a_name(t) for t in tests):
        return None
    reason = (
        "without the change the tests fail only because a name that they use does not exist yet"
    )
    return Finding("wrong_reason", Decision.ABSTAIN, reason)


def change_not_executed(evidence: Evidence) -> Finding | None:
    """Abstain: other tests execute changed lines, but none does that fails without the fix.

    Lines that run only when their module is imported belong to no test, and say nothing here.
    """
    names = {t.test for t in evidence.reproducing}
    lines = [line for j in evidence.judgements for line in j.coverage.lines]
    executed = [line.tests for line in lines if line.tests]
    if not names or not executed or any(names.intersection(tests) for tests in executed):
        return None
    reason = "the tests that fail without the change execute none of its changed lines"
    return Finding("change_not_executed", Decision.ABSTAIN, reason)


_MISSING_NAME = frozenset({"ImportError", "ModuleNotFoundError", "NameError"})
_MISSING_ATTRIBUTE = re.compile(r"^(module|type object) '.*' has no attribute ")


def _lacks_a_name(transition: Transition) -> bool:
    """Whether a test failed on R before it came to say anything about behaviour."""
    failure = transition.before.failure
    if transition.before.phase is Phase.COLLECTION or transition.before.status is Status.CRASHED:
        return True
    if failure is None:
        return False
    name = failure.exception_type.rpartition(".")[2]
    missing_attribute = name == "AttributeError" and _MISSING_ATTRIBUTE.match(failure.message)
    return name in _MISSING_NAME or bool(missing_attribute)
