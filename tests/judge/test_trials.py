"""What tests notice: other expected values, and parts of the change that go."""

from __future__ import annotations

import dataclasses

import pytest

from evaluator.verdict import Decision, Evidence, decide
from evaluator.verdict.evidence import (
    PartKind,
    PartResult,
    PartState,
    Reactions,
    Sensitivity,
    TrialOutcome,
)

from .test_verdict import GOOD, judged

SECOND = dataclasses.replace(GOOD, test="t.py::second")
GIVEN, OWN = judged(GOOD, SECOND), judged(GOOD)


def reactions(judgement, *found: TrialOutcome) -> Reactions:
    tests = zip(judgement.transitions, found, strict=True)
    return Reactions(judgement, tuple(Sensitivity(t.test, t.file, each) for t, each in tests))


def hunk(state: PartState, *tests: str) -> PartResult:
    return PartResult("m.py", 1, 2, PartKind.HUNK, state, tests)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ((TrialOutcome.NOTICED, TrialOutcome.NOTICED), "reproduced"),
        ((TrialOutcome.NOTICED, TrialOutcome.NOTHING), "reproduced"),
        ((TrialOutcome.UNTRIED, TrialOutcome.NOTICED), "reproduced"),
        ((TrialOutcome.HELD, TrialOutcome.NOTICED), "passes_whatever_is_asserted"),
        ((TrialOutcome.UNLIKE, TrialOutcome.NOTICED), "equal_with_other_hashes"),
        ((TrialOutcome.UNFINISHED, TrialOutcome.NOTICED), "endless_with_other_values"),
        ((TrialOutcome.NOTHING, TrialOutcome.NOTHING), "nothing_asserted"),
        ((TrialOutcome.NOTHING, TrialOutcome.UNTRIED), "nothing_asserted"),
    ],
)
def test_one_test_must_notice_and_none_may_hold(given: tuple[TrialOutcome, ...], rule: str) -> None:
    evidence = Evidence((GIVEN,), reactions=(reactions(GIVEN, *given),))
    assert decide(evidence).findings[0].rule == rule


def test_what_passes_whatever_it_expects_is_not_said_to_assert_nothing() -> None:
    evidence = Evidence(own=OWN, reactions=(reactions(OWN, TrialOutcome.HELD),))
    verdict = decide(evidence)
    assert verdict.decision is Decision.ABSTAIN
    rules = {finding.rule for finding in verdict.findings}
    assert "passes_whatever_is_asserted" in rules
    assert "nothing_asserted" not in rules


@pytest.mark.parametrize(
    ("own", "decision"),
    [(TrialOutcome.NOTHING, Decision.ACCEPT), (TrialOutcome.HELD, Decision.ABSTAIN)],
)
def test_own_tests_need_not_notice_beside_given_ones(own: TrialOutcome, decision: Decision) -> None:
    found = (reactions(GIVEN, TrialOutcome.NOTICED, TrialOutcome.NOTICED), reactions(OWN, own))
    assert decide(Evidence((GIVEN,), own=OWN, reactions=found)).decision is decision
    assert decide(Evidence((GIVEN,), own=OWN, reactions=found[1:])).decision is decision


def test_own_tests_alone_must_notice() -> None:
    evidence = Evidence(own=OWN, reactions=(reactions(OWN, TrialOutcome.NOTHING),))
    assert decide(evidence).findings[0].rule == "nothing_asserted"


@pytest.mark.parametrize(
    ("parts", "rule"),
    [
        ((), "reproduced"),
        ((hunk(PartState.UNTESTED), hunk(PartState.TESTED, GOOD.test)), "reproduced"),
        ((hunk(PartState.UNTESTED), hunk(PartState.TESTED, "t.py::other")), "no_hunk_noticed"),
        ((hunk(PartState.UNTESTED), hunk(PartState.NOT_TRIED)), "no_hunk_noticed"),
    ],
)
def test_some_hunk_must_be_noticed(parts: tuple[PartResult, ...], rule: str) -> None:
    assert decide(Evidence((GIVEN,), parts=parts)).findings[0].rule == rule
