from __future__ import annotations

import dataclasses

import pytest

from evaluator.admission import Strength
from evaluator.execution import RunPair
from evaluator.judge import Judgement
from evaluator.model import (
    ChangeCoverage,
    ChangedLine,
    Failure,
    LineState,
    Phase,
    Revision,
    Run,
    Side,
    Status,
    TestOutcome,
    Transition,
)
from evaluator.sandbox.protocol import ExitReason
from evaluator.verdict import RULES, Concern, Decision, Evidence, Generated, decide
from evaluator.verdict.evidence import UnmendedExample

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
    ending: ExitReason = ExitReason.EXITED,
) -> Judgement:
    line = ChangedLine("code.py", 3, Revision.FIXED, LineState.UNCOVERED, "x = 1", executed_by)
    run = Run({}, ending=ending)
    return Judgement(("t.py",), transitions, ChangeCoverage((line,)), (RunPair(run, run),))


GOOD = ended(Status.FAILED, Status.PASSED)


def test_a_test_that_fails_without_and_passes_with_the_change_is_accepted() -> None:
    verdict = decide(Evidence(own=judged(GOOD)))
    assert verdict.decision is Decision.ACCEPT
    assert verdict.reasons == ("1 test fails without the change and passes with it: t.py::test",)


def test_tests_that_fail_whatever_the_change_does_are_told() -> None:
    """Where all fail for want of a service or plug-in, "nothing reproduces" alone says nothing."""
    failing = dataclasses.replace(ended(Status.FAILED, Status.FAILED), preexisting=True)
    (finding,) = decide(Evidence(own=judged(failing, ended(Status.PASSED, Status.PASSED)))).findings
    assert (finding.rule, finding.decision) == ("nothing_reproduces", Decision.ABSTAIN)
    assert finding.reason == (
        "no test fails without the change and passes with it; 1 of 2 tests fail on both sides, and "
        "would without this change (t.py::test: AssertionError: 1 != 2); if they pass elsewhere, "
        "something that they need is missing here"
    )


def test_new_tests_that_are_skipped_are_told_with_the_reason() -> None:
    newer = Failure("Skipped", "new in Python 3.12")
    skipped = ended(Status.SKIPPED, Status.SKIPPED, reasons=(newer, newer))
    old = dataclasses.replace(skipped, preexisting=True)
    (finding,) = decide(Evidence(own=judged(skipped, old, PASSES))).findings
    assert finding.reason == (
        "no test fails without the change and passes with it; of those that it brings 1 test is "
        "skipped on both sides (t.py::test: new in Python 3.12)"
    )


def test_files_that_are_skipped_whole_are_told_whoever_brought_them() -> None:
    """What a change adds to them is not seen."""
    absent = Failure("Skipped", "no module of that name")
    skipped = ended(Status.SKIPPED, Status.SKIPPED, reasons=(absent, absent))
    whole = dataclasses.replace(skipped, test="t.py", preexisting=True)
    (finding,) = decide(Evidence(own=judged(whole))).findings
    assert finding.reason == (
        "no test fails without the change and passes with it; of those that it brings 1 test is "
        "skipped on both sides (t.py: no module of that name)"
    )


def test_what_kept_a_run_from_its_first_test_is_told() -> None:
    run = Run({}, ending=ExitReason.KILLED, output="Error\nModule words not found\n")
    unstarted = Judgement(("t.py",), (), ChangeCoverage(()), (RunPair(run, run),))
    assert decide(Evidence(own=unstarted)).reasons[0] == (
        "a test run was cut short: it ended before any test did (Module words not found)"
    )


def test_the_test_in_which_a_run_was_cut_short_is_named() -> None:
    """As msgspec's, of 2023, dies on both sides in a test that was there before."""
    never = TestOutcome("t.py::later", "t.py", Status.CRASHED)
    died = TestOutcome("t.py::old", "t.py", Status.CRASHED, Phase.CALL)
    outcomes = {each.test: each for each in (never, died)}
    run = Run(outcomes, ending=ExitReason.KILLED, output="Error")
    cut = Judgement(("t.py",), (), ChangeCoverage(()), (RunPair(run, run),))
    assert decide(Evidence(own=cut)).reasons[0] == "a test run was cut short: killed in t.py::old"


BREAKS = ended(Status.PASSED, Status.FAILED)
PASSES = ended(Status.PASSED, Status.PASSED)
STILL = ended(Status.FAILED, Status.FAILED)
OTHERWISE = ended(Status.FAILED, Status.FAILED, reasons=(WRONG, OTHER))
UNSTABLE = ended(Status.FAILED, Status.PASSED, flaky=True)
UNCOLLECTED = ended(Status.ERROR, Status.PASSED, phase=Phase.COLLECTION)
UNNAMED = ended(Status.FAILED, Status.PASSED, reasons=(Failure("NameError", "x"), WRONG))
NOT_EXECUTED = judged(GOOD, executed_by=("t.py::other",))
CUT_SHORT = ended(Status.CRASHED, Status.PASSED)
AT_IMPORT = judged(GOOD, executed_by=())
OUT_OF_MEMORY = judged(GOOD, ending=ExitReason.MEMORY)
OWN = judged(GOOD)
WEAK, FAIR, STRONG = Strength.WEAK, Strength.FAIR, Strength.STRONG


def by(strength: Strength = FAIR, /, **told: Transition) -> tuple[Generated, ...]:
    """Generated tests of one strength, by their writers."""
    return tuple(
        Generated(judged(transition), strength, writer) for writer, transition in told.items()
    )


def samples(writer: str, *told: Transition, strength: Strength = FAIR) -> tuple[Generated, ...]:
    return tuple(Generated(judged(transition), strength, writer) for transition in told)


def decided(*generated: Generated) -> Decision:
    return decide(Evidence(generated=generated)).decision


def test_what_a_test_executed_is_not_known_where_its_run_was_cut_short() -> None:
    cut = judged(CUT_SHORT, executed_by=("t.py::other",))
    assert decide(Evidence(own=cut)).decision is Decision.ACCEPT


@pytest.mark.parametrize(
    ("rule", "decision", "evidence"),
    [
        ("passing_test_breaks", Decision.REJECT, Evidence(own=judged(GOOD, BREAKS))),
        ("given_test_still_fails", Decision.REJECT, Evidence((judged(STILL),), own=judged(GOOD))),
        (
            "given_test_fails_differently",
            Decision.ABSTAIN,
            Evidence((judged(OTHERWISE),), own=judged(GOOD)),
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
            Evidence(own=judged(GOOD), configuration=(Concern("conftest.py", "steers"),)),
        ),
        (
            "edits_data_of_tests",
            Decision.ABSTAIN,
            Evidence(own=judged(GOOD), edited_data=(Concern("cases.py", "edits CASES"),)),
        ),
        (
            "cannot_be_read",
            Decision.ABSTAIN,
            Evidence(own=judged(GOOD), unreadable=(Concern("m.so", "compiled code"),)),
        ),
        (
            "more_than_files",
            Decision.ABSTAIN,
            Evidence(own=judged(), beyond=(Concern("vendor", "a submodule"),)),
        ),
        (
            "looks_at_its_tests",
            Decision.ABSTAIN,
            Evidence(own=judged(GOOD), evasions=(Concern("m.py", "inspect.stack"),)),
        ),
        (
            "handles_only_the_example",
            Decision.ABSTAIN,
            Evidence(own=judged(GOOD), special_cases=(Concern("m.py", "asks for 'x'"),)),
        ),
        (
            "breaks_callers",
            Decision.ABSTAIN,
            Evidence(own=judged(GOOD), refused_calls=(Concern("m.py", "f needs x"),)),
        ),
        (
            "unseen_effects",
            Decision.ABSTAIN,
            Evidence(own=judged(GOOD), unseen_effects=(Concern("m.py", "f catches every error"),)),
        ),
        (
            "mends_only_the_example",
            Decision.ABSTAIN,
            Evidence(own=judged(GOOD), unmended=(UnmendedExample(GOOD.test, "other words"),)),
        ),
        ("wrong_reason", Decision.ABSTAIN, Evidence(own=judged(UNCOLLECTED))),
        ("wrong_reason", Decision.ABSTAIN, Evidence(own=judged(UNNAMED))),
        ("change_not_executed", Decision.ABSTAIN, Evidence(own=NOT_EXECUTED)),
        (
            "change_not_executed",
            Decision.ABSTAIN,
            Evidence((judged(CUT_SHORT, executed_by=("t.py::other",)),), own=NOT_EXECUTED),
        ),
        ("writers_find_it_unfixed", Decision.REJECT, Evidence(generated=by(a=STILL), own=OWN)),
        ("writer_in_doubt", Decision.ABSTAIN, Evidence(generated=by(a=GOOD, b=OTHERWISE))),
        ("too_few_witnesses", Decision.ABSTAIN, Evidence(generated=by(a=GOOD), witnesses=2)),
        ("not_as_reported", Decision.ABSTAIN, Evidence(generated=by(WEAK, a=GOOD))),
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
    evidence = Evidence(generated=by(a=GOOD, b=GOOD), witnesses=2)
    assert decide(evidence).decision is Decision.ACCEPT


def test_samples_of_one_writer_are_one_witness() -> None:
    evidence = Evidence(generated=samples("a", GOOD, GOOD, GOOD), witnesses=2)
    assert decide(evidence).findings[0].rule == "too_few_witnesses"


def test_one_test_that_stands_in_the_issue_is_enough() -> None:
    assert decided(*by(STRONG, a=GOOD)) is Decision.ACCEPT


def test_where_only_a_part_stands_in_the_issue_another_writer_must_agree() -> None:
    assert decided(*samples("a", GOOD, GOOD)) is Decision.ABSTAIN
    assert decided(*by(WEAK, a=GOOD), *by(FAIR, b=GOOD)) is Decision.ACCEPT


def test_where_no_test_fails_as_reported_many_sets_of_several_writers_must_agree() -> None:
    three = samples("a", GOOD, GOOD, GOOD, strength=WEAK)
    assert decided(*three, *by(WEAK, b=GOOD)) is Decision.ACCEPT
    assert decided(*three, *by(WEAK, a=GOOD)) is Decision.ABSTAIN
    assert decided(*by(WEAK, a=GOOD, b=GOOD, c=GOOD)) is Decision.ABSTAIN
    assert decided(*three, *by(WEAK, a=STILL, b=GOOD, c=GOOD)) is Decision.ABSTAIN


def test_what_only_denies_the_report_rejects_but_accepts_nothing() -> None:
    gone, there = (
        Generated(judged(told), STRONG, "a", only_negative=True) for told in (GOOD, STILL)
    )
    (finding, *_) = decide(Evidence(generated=(gone,))).findings
    assert (finding.rule, finding.decision) == ("not_as_reported", Decision.ABSTAIN)
    assert "not that what is there now is right" in finding.reason
    assert decided(there) is Decision.REJECT
    assert decided(gone, *by(STRONG, b=GOOD)) is Decision.ACCEPT
    assert decided(gone, *by(FAIR, b=GOOD)) is Decision.ABSTAIN
    assert decided(*[gone] * 3, *by(WEAK, b=GOOD)) is Decision.ABSTAIN


def test_weak_generated_tests_do_not_weaken_others() -> None:
    weak = by(WEAK, a=GOOD)
    assert decide(Evidence(generated=weak, own=judged(GOOD))).decision is Decision.ACCEPT
    assert decide(Evidence((judged(GOOD),), weak)).decision is Decision.ACCEPT


def test_a_fix_is_not_rejected_by_one_test_that_fails_otherwise_than_reported() -> None:
    assert decided(*by(WEAK, a=STILL)) is Decision.ABSTAIN
    assert decided(*by(WEAK, a=STILL, b=STILL)) is Decision.REJECT


@pytest.mark.parametrize(
    ("told", "decision"),
    [
        ({"a": GOOD, "b": STILL}, Decision.ABSTAIN),
        ({"a": GOOD, "b": OTHERWISE}, Decision.ABSTAIN),
        ({"a": GOOD, "b": STILL, "c": STILL}, Decision.REJECT),
        ({"a": GOOD, "b": GOOD, "c": STILL}, Decision.ABSTAIN),
        ({"a": GOOD, "b": GOOD, "c": PASSES}, Decision.ACCEPT),
        ({"a": OTHERWISE}, Decision.ABSTAIN),
    ],
)
def test_writers_disagree(told: dict[str, Transition], decision: Decision) -> None:
    assert decided(*by(**told)) is decision


def test_a_test_from_the_issue_outweighs_one_that_is_farther_from_it_and_notices_nothing() -> None:
    nearest = by(STRONG, a=GOOD)
    assert decided(*nearest) is Decision.ACCEPT
    assert decided(*nearest, *by(FAIR, b=STILL)) is Decision.ACCEPT
    assert decided(*nearest, *by(STRONG, b=STILL)) is Decision.ABSTAIN
    assert decided(*nearest, *by(FAIR, b=OTHERWISE)) is Decision.ABSTAIN
    assert decided(*nearest, *by(FAIR, b=STILL, c=STILL)) is Decision.REJECT
    assert decided(*by(FAIR, a=GOOD), *by(WEAK, b=STILL)) is Decision.ABSTAIN


def test_several_writers_outweigh_fewer_doubts() -> None:
    affirming = (*by(STRONG, a=GOOD), *by(FAIR, b=GOOD))
    assert decided(*affirming, *by(FAIR, c=OTHERWISE)) is Decision.ACCEPT
    assert decided(*affirming, *by(FAIR, c=OTHERWISE, d=OTHERWISE)) is Decision.ABSTAIN


@pytest.mark.parametrize(
    ("told", "decision"),
    [
        ((GOOD, GOOD, STILL), Decision.ACCEPT),
        ((GOOD, STILL, STILL), Decision.REJECT),
        ((GOOD, STILL), Decision.ABSTAIN),
        ((GOOD, PASSES, PASSES), Decision.ACCEPT),
        ((GOOD, OTHERWISE, STILL), Decision.ABSTAIN),
    ],
)
def test_most_samples_of_a_writer_decide_what_it_says(
    told: tuple[Transition, ...], decision: Decision
) -> None:
    assert decided(*samples("a", *told, strength=STRONG)) is decision


def test_samples_that_fit_the_issue_less_well_are_not_counted() -> None:
    weak = samples("a", STILL, STILL, strength=WEAK)
    assert decided(*weak, *samples("a", GOOD, strength=STRONG)) is Decision.ACCEPT


def test_each_issue_has_writers_of_its_own() -> None:
    two = [Generated(judged(told), FAIR, "a", issue) for issue, told in (("1", GOOD), ("2", STILL))]
    assert decided(*two) is Decision.REJECT


def test_no_majority_excuses_a_test_that_breaks() -> None:
    assert decided(*by(a=GOOD, b=GOOD, c=BREAKS)) is Decision.REJECT


def test_addresses_do_not_make_a_failure_another_one() -> None:
    at = (Failure("AssertionError", f"<A at {place}>") for place in ("0x7f01", "0x7f02"))
    still = ended(Status.FAILED, Status.FAILED, reasons=(next(at), next(at)))
    verdict = decide(Evidence((judged(still),), own=judged(GOOD)))
    assert verdict.findings[0].rule == "given_test_still_fails"


def test_nothing_said_is_no_acceptance() -> None:
    assert decide(Evidence(), {}).decision is Decision.ABSTAIN
