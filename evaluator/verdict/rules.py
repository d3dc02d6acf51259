"""The rules of the verdict, each a function of its own that speaks or stays silent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from evaluator.admission import Strength
from evaluator.evaluation import Transition
from evaluator.outcome import Phase, Status
from evaluator.sandbox.protocol import Ending
from evaluator.verdict.evidence import Decision, Evidence, Finding, reproduces
from evaluator.verdict.jury import Jury, Voice, Writer, juries, strongest
from evaluator.verdict.sameness import fails_alike

Rule = Callable[[Evidence], Finding | None]

AGREEMENT = 4
"""How many sets of tests must agree where none fails as the issue reports: agreement of samples
tells right ones from wrong ones (LIBRO, section III-D), though less well than the report does."""


def reproduced(evidence: Evidence) -> Finding | None:
    """Accept: some test fails without the fix and passes with it."""
    tests = evidence.reproducing
    if not tests:
        return None
    names = _distinct(tests)
    fails, passes = ("test fails", "passes") if len(names) == 1 else ("tests fail", "pass")
    reason = f"{len(names)} {fails} without the change and {passes} with it: {_listed(names)}"
    return Finding("reproduced", Decision.ACCEPT, reason, names)


def passing_test_breaks(evidence: Evidence) -> Finding | None:
    """Reject: a test passes without the fix and fails with it."""
    broken = [t for t in evidence.transitions if t.kind == "P->F" and not t.flaky]
    return _finding(
        "passing_test_breaks",
        Decision.REJECT,
        "passes without the change and fails with it",
        broken,
    )


def given_test_still_fails(evidence: Evidence) -> Finding | None:
    """Reject: a given test fails with the fix just as it does without it."""
    failing = [t for t in _failing_twice(evidence.believed) if fails_alike(t)]
    return _finding(
        "given_test_still_fails", Decision.REJECT, "still fails in the same way", failing
    )


def given_test_fails_differently(evidence: Evidence) -> Finding | None:
    """Abstain: a given test fails on both sides, but not for the same reason."""
    failing = [t for t in _failing_twice(evidence.believed) if not fails_alike(t)]
    return _finding(
        "given_test_fails_differently",
        Decision.ABSTAIN,
        "fails with the change too, but in another way",
        failing,
    )


def writers_find_it_unfixed(evidence: Evidence) -> Finding | None:
    """Reject: more writers of generated tests find the issue unfixed than fixed.

    One of them must have a test that fails as the issue reports, or two must agree.
    """
    for jury in juries(evidence):
        against, fixed = jury.saying(Voice.NOT_FIXED), jury.saying(Voice.FIXED)
        if len(against) > len(fixed) and (len(against) > 1 or _as_reported(against)):
            return _finding(
                "writers_find_it_unfixed",
                Decision.REJECT,
                "still fails in the same way",
                _failing(against),
            )
    return None


def writer_in_doubt(evidence: Evidence) -> Finding | None:
    """Abstain: tests of a writer fail with the fix, which is not enough to reject it.

    Not where tests that another took from the issue itself pass: who is nearer is believed.
    """
    doubting = [
        writer
        for jury in juries(evidence)
        if _strength(jury) < Strength.STRONG
        for writer in jury.saying(Voice.NOT_FIXED, Voice.UNSURE)
    ]
    return _finding(
        "writer_in_doubt", Decision.ABSTAIN, "fails with the change too", _failing(doubting)
    )


def own_test_fails(evidence: Evidence) -> Finding | None:
    """Abstain: a test that the change brings along fails with it, or cannot run here."""
    own = evidence.own.transitions if evidence.own else ()
    failing = [t for t in own if t.kind in ("F->F", "-->F") and not t.preexisting]
    return _finding(
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


def too_few_witnesses(evidence: Evidence) -> Finding | None:
    """Abstain: fewer writers of generated tests than wanted find the issue fixed."""
    found = [len(jury.saying(Voice.FIXED)) for jury in juries(evidence)]
    few = [number for number in found if 0 < number < evidence.witnesses]
    if not few:
        return None
    reason = (
        f"tests of {min(few)} of the {evidence.witnesses} writers that are wanted find it fixed"
    )
    return Finding("too_few_witnesses", Decision.ABSTAIN, reason)


def not_as_reported(evidence: Evidence) -> Finding | None:
    """Abstain: what the generated tests want of the fix stands in the issue in part, or not at all.

    Then they tell what their writer made of the issue, which a wrong fix may well satisfy, and
    others must agree: another writer, or many where nothing stands in the issue. It says nothing
    where other tests than generated ones reproduce the bug as well.
    """
    if any(reproduces(t) for judgement in evidence.trusted for t in judgement.transitions):
        return None
    if all(_is_enough(jury) for jury in juries(evidence) if jury.saying(Voice.FIXED)):
        return None
    reason = "the tests that find it fixed do not fail just as the issue reports, and too few agree"
    return Finding("not_as_reported", Decision.ABSTAIN, reason)


def flaky(evidence: Evidence) -> Finding | None:
    """Abstain: a test disagrees with itself."""
    unstable = [t for t in evidence.transitions if t.flaky and not t.preexisting]
    return _finding("flaky", Decision.ABSTAIN, "does not end the same way when run again", unstable)


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
    return _finding(
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


RULES: Mapping[str, Rule] = {
    rule.__name__: rule
    for rule in (
        passing_test_breaks,
        given_test_still_fails,
        given_test_fails_differently,
        writers_find_it_unfixed,
        writer_in_doubt,
        own_test_fails,
        nothing_reproduces,
        too_few_witnesses,
        not_as_reported,
        flaky,
        run_cut_short,
        configuration_changed,
        looks_at_its_tests,
        passes_whatever_is_asserted,
        wrong_reason,
        change_not_executed,
        reproduced,
    )
}
"""Every rule by name, in the order in which findings of equal weight are told."""


def _failing_twice(transitions: Iterable[Transition]) -> Iterator[Transition]:
    return (t for t in transitions if t.kind == "F->F" and not t.flaky)


def _failing(writers: Iterable[Writer]) -> list[Transition]:
    return [transition for writer in writers for transition in writer.failing]


def _as_reported(writers: Iterable[Writer]) -> bool:
    return strongest(writer.strength for writer in writers) >= Strength.FAIR


def _strength(jury: Jury) -> Strength:
    return strongest(writer.strength for writer in jury.affirming)


def _is_enough(jury: Jury) -> bool:
    match _strength(jury):
        case Strength.STRONG:
            return True
        case Strength.FAIR:
            return len(jury.affirming) > 1
    return jury.agreement >= AGREEMENT


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


def _finding(
    rule: str, decision: Decision, what: str, tests: Sequence[Transition]
) -> Finding | None:
    if not tests:
        return None
    names = _distinct(tests)
    return Finding(rule, decision, f"{_listed(names)}: {what}", names)


def _distinct(tests: Iterable[Transition]) -> tuple[str, ...]:
    """Their names, each once: several sets of tests may hold the same."""
    return tuple(dict.fromkeys(test.test for test in tests))


def _listed(names: Sequence[str], shown: int = 3) -> str:
    more = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {more} more" if more > 0 else "")
