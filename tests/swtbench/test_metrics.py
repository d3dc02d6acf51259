"""The summary figures: definitions, denominators, intervals, groups and overlap."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import (
    ChangeCoverage,
    ChangedLine,
    Evaluation,
    LineState,
    Revision,
    Side,
    State,
    Status,
    Transition,
)
from evaluator.swtbench.metrics import (
    agreement,
    estimate,
    length_edges,
    overlap,
    success_by_issue_length,
    success_by_repository,
    summarize,
)

STATUS = {"P": Status.PASSED, "F": Status.FAILED, "-": Status.SKIPPED}


def transition(kind: str, *, flaky: bool = False, preexisting: bool = False) -> Transition:
    before, after = (Side(STATUS[letter]) for letter in kind.split("->"))
    return Transition(kind, "test_x.py", before, after, flaky, preexisting)


def evaluation(
    name: str, *transitions: Transition, state: State = State.GRADED, **fields: Any
) -> Evaluation:
    return Evaluation(name, "p", state, transitions=transitions, **fields)


def coverage(covered: int, executable: int) -> ChangeCoverage:
    states = [LineState.COVERED] * covered + [LineState.UNCOVERED] * (executable - covered)
    return ChangeCoverage(
        tuple(ChangedLine("a.py", i + 1, Revision.FIXED, state) for i, state in enumerate(states))
    )


@pytest.mark.parametrize(
    ("transitions", "fail_to_any", "fail_to_pass", "pass_to_pass"),
    [
        ((), 0, 0, 0),
        ((transition("F->P"),), 1, 1, 0),
        ((transition("F->F"),), 1, 0, 0),
        ((transition("F->-"),), 1, 0, 0),
        ((transition("P->F"), transition("-->P")), 0, 0, 0),
        ((transition("P->P"), transition("F->P")), 1, 1, 1),
        ((transition("F->P", flaky=True), transition("P->P", flaky=True)), 0, 0, 0),
        ((transition("F->F", preexisting=True), transition("P->P", preexisting=True)), 0, 0, 0),
    ],
)
def test_rates_follow_the_transitions_of_the_predictions_own_tests(
    transitions, fail_to_any, fail_to_pass, pass_to_pass
):
    estimates = summarize([evaluation("a", *transitions)]).estimates
    assert estimates["fail_to_any_rate"].value == fail_to_any
    assert estimates["fail_to_pass_rate"].value == fail_to_pass
    assert estimates["pass_to_pass_rate"].value == pass_to_pass


def test_both_denominators_are_given():
    found = summarize(
        [
            evaluation("a", success=True, well_formed=True),
            evaluation("b", well_formed=True),
            evaluation("c", state=State.MISSING_PREDICTION),
            evaluation("d", state=State.ENVIRONMENT_ERROR),
        ]
    )
    assert (found.instances, found.graded) == (4, 2)
    assert found.states == {
        State.GRADED: 2,
        State.MISSING_PREDICTION: 1,
        State.ENVIRONMENT_ERROR: 1,
    }
    ran, everywhere = found.estimates["success_rate"], found.estimates["success_rate_all"]
    assert (ran.value, ran.denominator) == (0.5, 2)
    assert (everywhere.value, everywhere.denominator) == (0.25, 4)
    assert found.estimates["well_formed_rate"].value == 1.0


def test_coverage_means_leave_out_instances_without_executable_lines():
    estimates = summarize(
        [
            evaluation("a", success=True, coverage=coverage(3, 4)),
            evaluation("b", coverage=coverage(1, 4)),
            evaluation("c", coverage=coverage(0, 4)),
            evaluation("d", coverage=coverage(0, 0)),
            evaluation("e", coverage=coverage(4, 4), state=State.GOLDEN_ERROR),
        ]
    ).estimates
    figures = {
        name.removeprefix("change_coverage_mean"): (found.value, found.denominator)
        for name, found in estimates.items()
        if name.startswith("change_coverage")
    }
    assert figures == {"": (1 / 3, 3), "_success": (0.75, 1), "_failure": (0.125, 2)}


def test_nothing_graded_has_no_figures():
    estimates = summarize([evaluation("a", state=State.CHECKOUT_ERROR)]).estimates
    assert estimates["success_rate"].value is None
    assert estimates["success_rate"].denominator == 0
    assert estimates["success_rate_all"].value == 0.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_the_interval_holds_the_mean_and_depends_on_content_only(values):
    found = estimate(values)
    assert found == estimate(list(reversed(values)))
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.high <= 1 + 1e-9
    assert min(values) <= found.low + 1e-9
    assert found.high - 1e-9 <= max(values)


def test_the_interval_is_that_of_the_binomial():
    found = estimate([1] * 30 + [0] * 70)
    assert found.value == 0.3
    assert found.low == pytest.approx(0.21, abs=0.011)
    assert found.high == pytest.approx(0.39, abs=0.011)


def test_success_by_repository():
    groups = success_by_repository(
        [
            evaluation("a", repo="b/b", success=True),
            evaluation("b", repo="a/a"),
            evaluation("c", repo="b/b"),
            evaluation("d", repo="c/c", state=State.SANDBOX_ERROR),
        ]
    )
    assert {r: (g.value, g.denominator) for r, g in groups.items()} == {
        "a/a": (0.0, 1),
        "b/b": (0.5, 2),
    }
    assert list(groups) == ["a/a", "b/b"]


def test_issue_lengths_fall_into_even_bins_shared_by_all_predictions():
    evaluations = [evaluation(str(i), issue_words=i, success=i < 20) for i in range(1, 101)]
    edges = length_edges([*evaluations, *evaluations])
    assert edges == (20, 40, 60, 80, 100)
    bins = success_by_issue_length(evaluations, edges)
    assert [(b.low, b.high, b.success.denominator) for b in bins] == [
        (0, 20, 20),
        (21, 40, 20),
        (41, 60, 20),
        (61, 80, 20),
        (81, 100, 20),
    ]
    assert bins[0].success.value == 0.95


@given(st.lists(st.integers(0, 50), max_size=30))
def test_every_instance_falls_into_one_bin(lengths):
    evaluations = [evaluation(str(i), issue_words=n) for i, n in enumerate(lengths)]
    bins = success_by_issue_length(evaluations, length_edges(evaluations))
    assert sum(b.success.denominator for b in bins) == len(lengths)
    assert all(b.success.denominator for b in bins)


def test_agreement_with_the_reference():
    found = agreement(
        [
            evaluation("a", success=True, reference_verdict="resolved"),
            evaluation("b", reference_verdict="unresolved"),
            evaluation("c", success=True, reference_verdict="unresolved"),
            evaluation("d", reference_verdict="resolved"),
            evaluation("e", reference_verdict="error"),
            evaluation("f"),
            evaluation("g", reference_verdict="resolved", state=State.GOLDEN_ERROR),
        ]
    )
    assert (found.both, found.neither, found.compared, found.rate) == (1, 1, 4, 0.5)
    assert (found.only_here, found.only_reference) == (("c",), ("d",))


def test_overlap_splits_the_union():
    def successes(*names: str) -> list[Evaluation]:
        return [evaluation(n, success=n in names) for n in "abcde"]

    found = overlap({"x": successes("a", "b", "c"), "y": successes("b", "c"), "z": successes("d")})
    assert found.union == {"a", "b", "c", "d"}
    assert found.best == "x"
    assert found.unique == {"x": {"a"}, "y": frozenset(), "z": {"d"}}
    assert found.pairs == {("x", "y"): 2, ("x", "z"): 0, ("y", "z"): 0}
    assert [(c.predictions, c.instances) for c in found.combinations] == [
        (("x", "y"), ("b", "c")),
        (("x",), ("a",)),
        (("z",), ("d",)),
    ]
