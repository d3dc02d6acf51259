"""Rules on tests that are believed as they are: given ones, the change's own, and frozen ones.

A frozen test counts with all its parameters: cases that pass on both sides stand beside one that
fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from evaluator.admission import Strength
from evaluator.judge import Judgement
from evaluator.languages.failures import described, headline
from evaluator.model import Status, Transition
from evaluator.test_names import function_name
from evaluator.verdict.basis import Basis, basis_of, fails_alike, own_reproducing
from evaluator.verdict.evidence import Decision, Evidence, Finding, reproduces
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
    failing = [t for t in _failing_twice(evidence) if fails_alike(t)]
    return finding(
        "given_test_still_fails", Decision.REJECT, "still fails in the same way", failing
    )


def given_test_fails_differently(evidence: Evidence) -> Finding | None:
    """Abstain: a given test fails on both sides, but not for the same reason."""
    failing = [t for t in _failing_twice(evidence) if not fails_alike(t)]
    return finding(
        "given_test_fails_differently",
        Decision.ABSTAIN,
        "fails with the change too, but in another way",
        failing,
    )


def own_test_fails(evidence: Evidence) -> Finding | None:
    """Abstain: a test that the change brings along fails with it, or cannot run here."""
    own = evidence.own.transitions if evidence.own else ()
    failing = [
        t
        for t in own
        if t.kind in ("F->F", "-->F") and not t.preexisting and t.test not in evidence.unloaded
    ]
    reason = "comes with the change and fails with it"
    if evidence.empty_submodules:
        reason += f"; it may need what is missing here{_without_submodules(evidence)}"
    return finding("own_test_fails", Decision.ABSTAIN, reason, failing)


def nothing_reproduces(evidence: Evidence) -> Finding | None:
    """Abstain: there is no test, or none of them fails without the fix.

    Of tests that could not be loaded, or were not run, that is not known.
    """
    if evidence.reproducing or evidence.unloaded or evidence.beyond:
        return None
    reason = "no test fails without the change and passes with it"
    reason += _skipped(evidence) + _failing_anyway(evidence)
    if not evidence.transitions:
        reason = (
            "there is no test to judge the change by: no test is given, and the change adds none"
        )
    return Finding("nothing_reproduces", Decision.ABSTAIN, reason)


def _skipped(evidence: Evidence) -> str:
    """Which of the tests that the change brings did not want to run here, and why."""
    own = evidence.own.transitions if evidence.own else ()
    skipped = [t for t in own if (not t.preexisting or _is_whole_file(t)) and _is_skipped(t)]
    if not skipped:
        return ""
    first, failure = skipped[0].test, skipped[0].after.failure
    said = headline(failure.message) if failure else "without a message"
    number = "1 test is" if len(skipped) == 1 else f"{len(skipped)} tests are"
    return f"; of those that it brings {number} skipped on both sides ({first}: {said})"


def _is_whole_file(transition: Transition) -> bool:
    """Whether it stands for all tests of its file: what a change adds to them is not known."""
    return transition.test == transition.file


def _is_skipped(transition: Transition) -> bool:
    sides = (transition.before, transition.after)
    return all(side.status is Status.SKIPPED for side in sides)


def _failing_anyway(evidence: Evidence) -> str:
    """Which tests fail on both sides as they did before the change: that may be the environment.

    Those that the change brings, and given ones, have findings of their own.
    """
    own = evidence.own.transitions if evidence.own else ()
    failing = [t for t in own if t.kind == "F->F" and t.preexisting]
    if not failing:
        return ""
    first, failure = failing[0].test, failing[0].before.failure
    said = headline(described(failure)) if failure else "without a message"
    return (
        f"; {len(failing)} of {len(own)} tests fail on both sides, and would without this change"
        f" ({first}: {said}); if they pass elsewhere, something that they need is missing here"
        f"{_without_submodules(evidence)}"
    )


def _without_submodules(evidence: Evidence) -> str:
    empty = evidence.empty_submodules
    if not empty:
        return ""
    plural = "" if len(empty) == 1 else "s"
    names = f"the submodule{plural} {listed(empty)}, which the clone lacks"
    return f", such as {names} (git submodule update --init)"


def _failing_twice(evidence: Evidence) -> Iterator[Transition]:
    """The believed tests that fail on both sides, though they could be loaded."""
    for t in evidence.believed:
        if t.kind == "F->F" and not t.flaky and t.test not in evidence.unloaded:
            yield t


def given_test_did_not_run(evidence: Evidence) -> Finding | None:
    """Abstain: a frozen test is skipped, missing or expected to fail on a side that matters."""
    lost = [
        t
        for judgement in evidence.frozen
        for t in _new(judgement)
        if _is_lost(t, _failing_functions(judgement))
    ]
    found = finding(
        "given_test_did_not_run",
        Decision.ABSTAIN,
        "was not run both without the change and with it",
        lost,
    )
    if found is not None or all(judgement.transitions for judgement in evidence.frozen):
        return found
    reason = "given tests were not run: no test was found in them"
    return Finding("given_test_did_not_run", Decision.ABSTAIN, reason)


def given_test_passes_without(evidence: Evidence) -> Finding | None:
    """Abstain: a frozen test passes without the change, too, so that it does not show the problem.

    So does a set of them that holds no test of its own.
    """
    passing = [t for judgement in evidence.frozen for t in _passing_on_both(judgement)]
    return finding(
        "given_test_passes_without",
        Decision.ABSTAIN,
        "passes without the change, too",
        passing,
    )


def given_tests_not_as_reported(evidence: Evidence) -> Finding | None:
    """Abstain: there is an issue, and nothing in the failures of the given tests stands in it.

    Who gives tests says that they are about the issue, so that less must stand there than where
    the change's own tests fail.
    """
    given = [t for judgement in evidence.given for t in judgement.transitions if reproduces(t)]
    fits = (evidence.symptoms.get(t.test, Strength.NONE) for t in evidence.reproducing)
    if not evidence.issue or not given or any(fits):
        return None
    return finding(
        "given_tests_not_as_reported",
        Decision.ABSTAIN,
        "fails without the change, but not as the issue reports",
        given,
    )


def _new(judgement: Judgement) -> tuple[Transition, ...]:
    return tuple(t for t in judgement.transitions if not t.preexisting)


def _is_lost(transition: Transition, failing: Set[str]) -> bool:
    """Whether it did not end on a side, be it that it is a case of a test that fails otherwise."""
    before, after = (_ended(side.status) for side in (transition.before, transition.after))
    return not (before and after) and (before or function_name(transition.test) not in failing)


def _ended(status: Status) -> bool:
    return status.fails or status is Status.PASSED


def _passing_on_both(judgement: Judgement) -> Iterator[Transition]:
    """The tests none of whose cases fails without the change; all, where there is none at all."""
    failing = _failing_functions(judgement)
    for t in _new(judgement) or judgement.transitions:
        if t.kind == "P->P" and function_name(t.test) not in failing:
            yield t


def _failing_functions(judgement: Judgement) -> Set[str]:
    return {function_name(t.test) for t in judgement.transitions if t.before.status.fails}
