"""Rules on tests that are believed as they are: given ones, and those of the change itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evaluator.model import Transition
from evaluator.verdict.basis import Basis, basis_of, own_reproducing
from evaluator.verdict.evidence import Decision, Evidence, Finding
from evaluator.verdict.failures import fails_alike
from evaluator.verdict.rules.wording import distinct, finding, listed


def reproduced(evidence: Evidence) -> Finding | None:
    """Accept: some test fails without the fix and passes with it."""
    tests = evidence.reproducing
    if not tests:
        return None
    names = distinct(tests)
    fails, passes = ("test fails", "passes") if len(names) == 1 else ("tests fail", "pass")
    reason = f"{len(names)} {fails} without the change and {passes} with it: {listed(names)}"
    return Finding("reproduced", Decision.ACCEPT, reason, names)


def rests_on_own_tests(evidence: Evidence) -> Finding | None:
    """Accept: the change's own tests speak for it, though none fails as the issue reports."""
    tests = own_reproducing(evidence)
    if not tests or not evidence.issue or basis_of(evidence) is Basis.ISSUE:
        return None
    reason = "only its own tests show this, and none of them fails as the issue reports"
    return Finding("rests_on_own_tests", Decision.ACCEPT, reason, distinct(tests))


def given_test_still_fails(evidence: Evidence) -> Finding | None:
    """Reject: a given test fails with the fix just as it does without it."""
    failing = [t for t in _failing_twice(evidence.believed) if fails_alike(t)]
    return finding(
        "given_test_still_fails", Decision.REJECT, "still fails in the same way", failing
    )


def given_test_fails_differently(evidence: Evidence) -> Finding | None:
    """Abstain: a given test fails on both sides, but not for the same reason."""
    failing = [t for t in _failing_twice(evidence.believed) if not fails_alike(t)]
    return finding(
        "given_test_fails_differently",
        Decision.ABSTAIN,
        "fails with the change too, but in another way",
        failing,
    )


def own_test_fails(evidence: Evidence) -> Finding | None:
    """Abstain: a test that the change brings along fails with it, or cannot run here."""
    own = evidence.own.transitions if evidence.own else ()
    failing = [t for t in own if t.kind in ("F->F", "-->F") and not t.preexisting]
    return finding(
        "own_test_fails", Decision.ABSTAIN, "comes with the change and fails with it", failing
    )


def nothing_reproduces(evidence: Evidence) -> Finding | None:
    """Abstain: there is no test, or none of them fails without the fix."""
    if evidence.reproducing:
        return None
    reason = "no test fails without the change and passes with it"
    if not evidence.transitions:
        reason = "there is no test to judge the change by"
    return Finding("nothing_reproduces", Decision.ABSTAIN, reason)


def _failing_twice(transitions: Iterable[Transition]) -> Iterator[Transition]:
    return (t for t in transitions if t.kind == "F->F" and not t.flaky)
