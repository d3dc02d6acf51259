"""What tests notice: other expected values, and parts of the change that go."""

from __future__ import annotations

import dataclasses

import pytest

from evaluator.verdict import Decision, Evidence, decide
from evaluator.verdict.trials import (
    PartKind,
    PartResult,
    PartState,
    Reaction,
    Reactions,
    Sensitivity,
)

from .test_verdict import GOOD, judged

SECOND = dataclasses.replace(GOOD, test="t.py::second")
GIVEN, OWN = judged(GOOD, SECOND), judged(GOOD)


def reactions(judgement, *found: Reaction) -> Reactions:
    tests = zip(judgement.transitions, found, strict=True)
    return Reactions(judgement, tuple(Sensitivity(t.test, t.file, each) for t, each in tests))


def hunk(state: PartState, *tests: str) -> PartResult:
    return PartResult("m.py", 1, 2, PartKind.HUNK, state, tests)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ((Reaction.NOTICED, Reaction.NOTICED), "reproduced"),
        ((Reaction.NOTICED, Reaction.NOTHING), "reproduced"),
        ((Reaction.UNTRIED, Reaction.NOTICED), "reproduced"),
        ((Reaction.HELD, Reaction.NOTICED), "passes_whatever_is_asserted"),
        ((Reaction.NOTHING, Reaction.NOTHING), "nothing_asserted"),
        ((Reaction.NOTHING, Reaction.UNTRIED), "nothing_asserted"),
    ],
)
def test_one_test_must_notice_and_none_may_hold(given: tuple[Reaction, ...], rule: str) -> None:
    evidence = Evidence((GIVEN,), reactions=(reactions(GIVEN, *given),))
    assert decide(evidence).findings[0].rule == rule


@pytest.mark.parametrize(
    ("own", "decision"), [(Reaction.NOTHING, Decision.ACCEPT), (Reaction.HELD, Decision.ABSTAIN)]
)
def test_own_tests_need_not_notice_beside_given_ones(own: Reaction, decision: Decision) -> None:
    found = (reactions(GIVEN, Reaction.NOTICED, Reaction.NOTICED), reactions(OWN, own))
    assert decide(Evidence((GIVEN,), own=OWN, reactions=found)).decision is decision
    assert decide(Evidence((GIVEN,), own=OWN, reactions=found[1:])).decision is decision


def test_own_tests_alone_must_notice() -> None:
    evidence = Evidence(own=OWN, reactions=(reactions(OWN, Reaction.NOTHING),))
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
