"""An acceptance holds all of its conditions at once, and says what it rests on."""

from __future__ import annotations

import dataclasses

import pytest

from evaluator.admission import Strength
from evaluator.model import Failure, Frame, Status
from evaluator.verdict import Basis, Decision, Evidence, Generated, decide

from .test_verdict import BREAKS, GOOD, PASSES, STILL, UNCOLLECTED, UNNAMED, ended, judged

NAME = GOOD.test
REPORTED = {NAME: Strength.FAIR}
SECOND = dataclasses.replace(GOOD, test="t.py::second")
CASES = [
    dataclasses.replace(told, test=f"t.py::test[{case}]") for case, told in ((1, GOOD), (2, PASSES))
]


def kept(*told, strength=Strength.STRONG):
    return (Generated(judged(*told), strength, "fixgate", "#1", frozen=True),)


@pytest.mark.parametrize(
    ("evidence", "basis"),
    [
        (Evidence(own=judged(GOOD)), Basis.OWN_TESTS),
        (Evidence(own=judged(GOOD), issue=True), Basis.OWN_TESTS),
        (Evidence(own=judged(GOOD), issue=True, symptoms=REPORTED), Basis.ISSUE),
        (Evidence((judged(GOOD),)), Basis.ISSUE),
        (Evidence((judged(GOOD),), issue=True, symptoms=REPORTED), Basis.ISSUE),
        (Evidence(generated=kept(GOOD), issue=True), Basis.ISSUE),
        (Evidence(generated=kept(GOOD, strength=Strength.FAIR), own=judged(GOOD)), Basis.ISSUE),
        (Evidence(generated=kept(GOOD, strength=Strength.WEAK), own=judged(GOOD)), Basis.OWN_TESTS),
        (Evidence((judged(*CASES, executed_by=(CASES[0].test,)),)), Basis.ISSUE),
    ],
)
def test_what_an_acceptance_rests_on(evidence: Evidence, basis: Basis) -> None:
    verdict = decide(evidence)
    assert (verdict.decision, verdict.basis) == (Decision.ACCEPT, basis), verdict.reasons


def test_own_tests_that_do_not_fail_as_reported_are_said_to_be_that() -> None:
    own, reported = (Evidence(own=judged(GOOD), issue=True, symptoms=s) for s in ({}, REPORTED))
    assert "none of them fails as the issue reports" in decide(own).reasons[1]
    assert len(decide(reported).reasons) == 1


@pytest.mark.parametrize("status", [Status.SKIPPED, Status.MISSING, Status.XFAILED, Status.XPASSED])
def test_a_given_test_that_is_dodged_is_not_ignored(status: Status) -> None:
    for told in (ended(Status.FAILED, status), ended(status, status), ended(status, Status.PASSED)):
        for evidence in (Evidence((judged(SECOND, told),)), Evidence(generated=kept(SECOND, told))):
            verdict = decide(evidence)
            assert verdict.decision is Decision.ABSTAIN
            assert verdict.findings[0].rule == "given_test_did_not_run"
            assert verdict.basis is None


def test_a_given_test_that_passes_on_both_sides_is_not_ignored() -> None:
    passing = dataclasses.replace(PASSES, test="t.py::other")
    for evidence in (
        Evidence((judged(GOOD, passing),)),
        Evidence((judged(passing),), own=judged(GOOD)),
        Evidence((judged(dataclasses.replace(passing, preexisting=True)),), own=judged(GOOD)),
    ):
        assert decide(evidence).findings[0].rule == "given_test_passes_without"


def test_tests_that_stood_beside_the_given_ones_are_not_given() -> None:
    beside = dataclasses.replace(PASSES, test="t.py::other", preexisting=True)
    assert decide(Evidence((judged(GOOD, beside),))).decision is Decision.ACCEPT


def test_given_tests_that_hold_no_test_are_not_ignored() -> None:
    verdict = decide(Evidence((judged(),), own=judged(GOOD)))
    assert verdict.findings[0].rule == "given_test_did_not_run"


def test_given_tests_fail_as_the_issue_reports() -> None:
    verdict = decide(Evidence((judged(GOOD),), own=judged(SECOND), issue=True))
    assert verdict.findings[0].rule == "given_tests_not_as_reported"
    near = Evidence((judged(GOOD),), issue=True, symptoms={NAME: Strength.WEAK})
    assert decide(near).basis is Basis.ISSUE


def raising(kind: str, path: str):
    failure = Failure(kind, "x", Frame(path, 3, "f"))
    return ended(Status.FAILED, Status.PASSED, reasons=(failure, failure))


def test_what_the_code_itself_misses_is_its_fault() -> None:
    own, tests = (Evidence(own=judged(raising("NameError", p))) for p in ("a.py", "test_a.py"))
    assert decide(own).decision is Decision.ACCEPT
    assert decide(tests).findings[0].rule == "wrong_reason"


def test_a_missing_name_counts_where_the_issue_reports_it() -> None:
    for told in (UNCOLLECTED, UNNAMED):
        assert decide(Evidence(own=judged(told), issue=True)).decision is Decision.ABSTAIN
        reported = Evidence(own=judged(told), issue=True, symptoms=REPORTED)
        assert decide(reported).basis is Basis.ISSUE


def test_what_is_missing_is_named_and_does_not_outweigh_behaviour() -> None:
    missing = {NAME: "the name 'x'"}
    verdict = decide(Evidence(own=judged(GOOD), missing=missing))
    assert verdict.findings[0].rule == "wrong_reason"
    assert "only because the name 'x' does not exist yet" in verdict.reasons[0]
    both = Evidence(own=judged(GOOD, SECOND), missing=missing)
    assert decide(both).basis is Basis.OWN_TESTS


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("existing_tests_changed", {"unmet": (GOOD,)}),
        ("leans_on_other_tests", {"dependent": (GOOD,)}),
    ],
)
def test_doubts_of_their_own(rule: str, found: dict[str, tuple[object, ...]]) -> None:
    evidence = dataclasses.replace(Evidence(own=judged(GOOD)), **found)  # type: ignore[arg-type]
    verdict = decide(evidence)
    assert (verdict.decision, verdict.findings[0].rule) == (Decision.ABSTAIN, rule)
    breaks = dataclasses.replace(evidence, own=judged(GOOD, BREAKS))
    assert decide(breaks).decision is Decision.REJECT


def test_a_given_test_that_still_fails_rejects_whatever_the_own_ones_show() -> None:
    assert decide(Evidence((judged(STILL),), own=judged(GOOD))).decision is Decision.REJECT


def test_instability_on_the_base_alone_does_not_outweigh_a_stable_test() -> None:
    unstable = dataclasses.replace(SECOND, flaky=True, steady_with_fix=True)
    assert decide(Evidence(own=judged(GOOD, unstable))).decision is Decision.ACCEPT
    assert decide(Evidence(own=judged(unstable))).findings[0].rule == "nothing_reproduces"
    with_fix = dataclasses.replace(unstable, steady_with_fix=False)
    assert decide(Evidence(own=judged(GOOD, with_fix))).findings[0].rule == "flaky"
