from __future__ import annotations

import pytest

from evaluator.admission import Strength
from evaluator.evaluation import ChangeCoverage, ChangedLine, LineState, Revision, Side, Transition
from evaluator.execution import RunPair
from evaluator.judge import Judgement
from evaluator.outcome import Failure, Phase, Run, Status
from evaluator.sandbox.protocol import Ending
from evaluator.verdict import RULES, Decision, Evidence, decide

WRONG = Failure("AssertionError", "1 != 2")
OTHER = Failure("ValueError", "no such thing")


def ended(
    before: Status,
    after: Status,
    *,
    reasons: tuple[Failure, Failure] = (WRONG, WRONG),
    phase: Phase = Phase.CALL,
    flaky: bool = False,
) -> Transition:
    sides = Side(before, phase, 0, reasons[0]), Side(after, phase, 0, reasons[1])
    return Transition("t.py::test", "t.py", *sides, flaky)


def judged(
    *transitions: Transition,
    executed_by: tuple[str, ...] = ("t.py::test",),
    ending: Ending = Ending.EXITED,
) -> Judgement:
    line = ChangedLine("code.py", 3, Revision.FIXED, LineState.UNCOVERED, "x = 1", executed_by)
    run = Run({}, ending=ending)
    return Judgement(("t.py",), transitions, ChangeCoverage((line,)), (RunPair(run, run),))


GOOD = ended(Status.FAILED, Status.PASSED)


def test_a_test_that_fails_without_and_passes_with_the_change_is_accepted() -> None:
    verdict = decide(Evidence(own=judged(GOOD)))
    assert verdict.decision is Decision.ACCEPT
    assert verdict.reasons == ("1 test fails without the change and passes with it: t.py::test",)


BREAKS = ended(Status.PASSED, Status.FAILED)
PASSES = ended(Status.PASSED, Status.PASSED)
STILL = ended(Status.FAILED, Status.FAILED)
OTHERWISE = ended(Status.FAILED, Status.FAILED, reasons=(WRONG, OTHER))
UNSTABLE = ended(Status.FAILED, Status.PASSED, flaky=True)
UNCOLLECTED = ended(Status.ERROR, Status.PASSED, phase=Phase.COLLECTION)
UNNAMED = ended(Status.FAILED, Status.PASSED, reasons=(Failure("NameError", "x"), WRONG))
NOT_EXECUTED = judged(GOOD, executed_by=("t.py::other",))
AT_IMPORT = judged(GOOD, executed_by=())
OUT_OF_MEMORY = judged(GOOD, ending=Ending.MEMORY)


@pytest.mark.parametrize(
    ("rule", "decision", "evidence"),
    [
        ("passing_test_breaks", Decision.REJECT, Evidence(own=judged(GOOD, BREAKS))),
        ("given_test_still_fails", Decision.REJECT, Evidence((judged(STILL),), judged(GOOD))),
        (
            "given_test_fails_differently",
            Decision.ABSTAIN,
            Evidence((judged(OTHERWISE),), judged(GOOD)),
        ),
        ("own_test_fails", Decision.ABSTAIN, Evidence(own=judged(GOOD, STILL))),
        (
            "nothing_reproduces",
            Decision.ABSTAIN,
            Evidence(own=judged(ended(Status.PASSED, Status.PASSED))),
        ),
        ("nothing_reproduces", Decision.ABSTAIN, Evidence()),
        ("flaky", Decision.ABSTAIN, Evidence(own=judged(GOOD, UNSTABLE))),
        ("run_cut_short", Decision.ABSTAIN, Evidence(own=OUT_OF_MEMORY)),
        (
            "configuration_changed",
            Decision.ABSTAIN,
            Evidence(own=judged(GOOD), configuration=("conftest.py",)),
        ),
        ("wrong_reason", Decision.ABSTAIN, Evidence(own=judged(UNCOLLECTED))),
        ("wrong_reason", Decision.ABSTAIN, Evidence(own=judged(UNNAMED))),
        ("change_not_executed", Decision.ABSTAIN, Evidence(own=NOT_EXECUTED)),
        ("too_few_witnesses", Decision.ABSTAIN, Evidence((judged(GOOD),), witnesses=2)),
        (
            "not_as_reported",
            Decision.ABSTAIN,
            Evidence((judged(GOOD), judged(PASSES)), strengths=(Strength.WEAK, Strength.STRONG)),
        ),
    ],
)
def test_each_rule_speaks_and_without_it_the_change_would_pass(
    rule: str, decision: Decision, evidence: Evidence
) -> None:
    verdict = decide(evidence)
    assert verdict.decision is decision
    assert verdict.findings[0].rule == rule
    others = {name: check for name, check in RULES.items() if name != rule}
    assert rule not in {finding.rule for finding in decide(evidence, others).findings}


def test_lines_that_run_on_import_alone_are_not_held_against_the_tests() -> None:
    assert decide(Evidence(own=AT_IMPORT)).decision is Decision.ACCEPT


def test_enough_witnesses() -> None:
    given = (judged(GOOD), judged(GOOD))
    assert decide(Evidence(given, witnesses=2)).decision is Decision.ACCEPT


def test_one_test_that_fails_as_reported_is_enough() -> None:
    strengths = (Strength.WEAK, Strength.FAIR)
    given = (judged(GOOD), judged(GOOD))
    assert decide(Evidence(given, strengths=strengths)).decision is Decision.ACCEPT


@pytest.mark.parametrize(
    ("strengths", "decision"),
    [
        ((Strength.STRONG, Strength.WEAK), Decision.ABSTAIN),
        ((Strength.STRONG, Strength.STRONG), Decision.REJECT),
        ((Strength.FAIR, Strength.STRONG), Decision.REJECT),
        ((), Decision.REJECT),
    ],
)
def test_tests_that_fit_the_issue_less_well_cannot_reject_but_raise_a_doubt(
    strengths: tuple[Strength, ...], decision: Decision
) -> None:
    evidence = Evidence((judged(GOOD), judged(STILL)), strengths=strengths)
    assert decide(evidence).decision is decision


def test_no_rank_excuses_a_test_that_breaks() -> None:
    given = (judged(GOOD), judged(BREAKS))
    evidence = Evidence(given, strengths=(Strength.STRONG, Strength.WEAK))
    assert decide(evidence).decision is Decision.REJECT


def test_addresses_do_not_make_a_failure_another_one() -> None:
    at = (Failure("AssertionError", f"<A at {place}>") for place in ("0x7f01", "0x7f02"))
    still = ended(Status.FAILED, Status.FAILED, reasons=(next(at), next(at)))
    verdict = decide(Evidence((judged(still),), judged(GOOD)))
    assert verdict.findings[0].rule == "given_test_still_fails"


def test_nothing_said_is_no_acceptance() -> None:
    assert decide(Evidence(), {}).decision is Decision.ABSTAIN
