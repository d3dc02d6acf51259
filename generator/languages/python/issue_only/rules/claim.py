"""A sentence of the issue says what a call gives; it does, and the sentence says what it should."""

from __future__ import annotations

from collections.abc import Iterator

from generator.languages.python.issue_only.matching import shown_way
from generator.languages.python.issue_only.replaying import StepResult
from generator.languages.python.issue_only.rules.output import difference, equality
from generator.languages.python.issue_only.symptoms import ReplayedReport, Runs, Symptom
from generator.report_text import Claim


def claimed_results(replay: ReplayedReport) -> Iterator[Symptom]:
    """Steps made of claims, as far as what is claimed of them is so."""
    for index, outcome in replay:
        claim = replay.program.steps[index].claim
        if claim is None:
            continue
        if outcome.raised is not None:
            yield from _raising(index, outcome, claim)
        else:
            yield from _giving(index, outcome, claim)


def _raising(index: int, outcome: StepResult, claim: Claim) -> Iterator[Symptom]:
    raised = outcome.raised
    if raised is None or claim.wanted_exception:
        return
    if claim.exception.rpartition(".")[2] in raised.names[:3] and claim.exception:
        words = f"`{claim.expression}` raises {raised.name}"
        yield Symptom("claimed_crash", index, Runs(), 0.7, words)


def _giving(index: int, outcome: StepResult, claim: Claim) -> Iterator[Symptom]:
    way = shown_way(claim.actual, outcome) if claim.actual else ""
    words = f"`{claim.expression}` gives `{claim.actual}`"
    if way:
        yield Symptom("claimed_wrong", index, difference(outcome, way), 0.7, words)
    if claim.expected and (way or not claim.actual):
        same = outcome.same[1] if len(outcome.same) > 1 else None
        demand = equality(claim.expected, same, outcome, way or "repr")
        if demand is not None:
            rule, confidence = ("claimed_expected", 0.75) if way else ("claimed_only_expected", 0.4)
            yield Symptom(rule, index, demand, confidence, f"{words}, not `{claim.expected}`")
