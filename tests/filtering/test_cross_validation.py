"""Rules are chosen on some repositories and measured on another."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.filtering.results import FixResult, FixState, InstanceResult
from evaluator.filtering.summary import cross_validate, decision
from evaluator.verdict import WRITER_RULES, Decision, Finding, decision_of

FOR = Finding("reproduced", Decision.ACCEPT, "a test fails without it and passes with it")
DOUBT = Finding("writer_in_doubt", Decision.ABSTAIN, "fails with the change too")
PART = Finding("not_as_reported", Decision.ABSTAIN, "too few agree")
FIRM = Finding("flaky", Decision.ABSTAIN, "does not end the same way")


def fix(name: str, resolved: bool | None, *findings: Finding) -> FixResult:
    said = decision_of(findings)
    return FixResult("i", name, resolved, FixState.JUDGED, said, findings=findings)


def instance(repo: str, *fixes: FixResult) -> InstanceResult:
    return InstanceResult(f"{repo}-1", repo, (), fixes)


def test_with_one_repository_there_is_nothing_to_validate_on() -> None:
    assert cross_validate([instance("a", fix("1", True, FOR))]) is None
    unknown = instance("b", fix("1", None, FOR))
    assert cross_validate([instance("a", fix("1", True, FOR)), unknown]) is None


def test_a_rule_that_only_one_repository_wants_does_not_help_it() -> None:
    """`writer_in_doubt` is right in `a` alone: when `a` is left out, the others leave it out."""
    wrong = instance("a", fix("1", False, FOR, DOUBT))
    right = [instance(repo, fix("1", True, FOR, DOUBT)) for repo in ("b", "c")]
    found = cross_validate([wrong, *right])
    assert found is not None
    without = {fold.repo: fold.without for fold in found.folds}
    assert without["a"] == ("writer_in_doubt",)
    assert found.summary.accepted == 1
    assert found.summary.precision.count == 0


def test_a_rule_that_all_repositories_want_is_kept() -> None:
    results = [
        instance(repo, fix("1", False, FOR, PART), fix("2", True, FOR)) for repo in ("a", "b", "c")
    ]
    found = cross_validate(results)
    assert found is not None
    assert found.kept == {"not_as_reported": 3}
    assert (found.summary.precision.value, found.summary.recall.value) == (1, 1)


def test_safeguards_are_not_up_for_choice() -> None:
    results = [instance(repo, fix("1", True, FOR, FIRM)) for repo in ("a", "b")]
    found = cross_validate(results)
    assert found is not None
    assert (found.summary.accepted, found.kept) == (0, {})


findings = st.lists(st.sampled_from([DOUBT, PART, FIRM]), unique=True)
fixes = st.builds(
    lambda found, right: fix("1", right, FOR, *found),
    findings,
    st.sampled_from([True, False, None]),
)


@given(st.lists(st.builds(instance, st.sampled_from("abcd"), fixes), max_size=12))
def test_the_figures_are_those_of_the_folds(results: list[InstanceResult]) -> None:
    found = cross_validate(results)
    if found is None:
        return
    for field in ("fixes", "judged", "accepted", "rejected", "abstained"):
        parts = [getattr(fold.summary, field) for fold in found.folds]
        assert getattr(found.summary, field) == sum(parts)


@pytest.mark.parametrize("rule", WRITER_RULES)
def test_left_out_rules_do_not_speak(rule: str) -> None:
    against = dataclasses.replace(DOUBT, rule=rule)
    judged = fix("1", True, FOR, against)
    assert decision(judged) is Decision.ABSTAIN
    assert decision(judged, without=[rule]) is Decision.ACCEPT
