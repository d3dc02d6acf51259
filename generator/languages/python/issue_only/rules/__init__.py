"""The rules that find a reported symptom in a replay, and what each is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from generator.languages.python.issue_only.rules.crash import (
    failing_assertions,
    missing_warnings,
    other_crashes,
    reported_crashes,
    reported_warnings,
    titled_crashes,
)
from generator.languages.python.issue_only.rules.output import (
    claimed_results,
    missing_refusals,
    wrong_outputs,
)
from generator.languages.python.issue_only.symptoms import ReplayedReport, Symptom

Rule = Callable[[ReplayedReport], Iterator[Symptom]]

RULES: Sequence[Rule] = (
    reported_crashes,
    titled_crashes,
    other_crashes,
    failing_assertions,
    missing_refusals,
    wrong_outputs,
    claimed_results,
    reported_warnings,
    missing_warnings,
)


def find_symptoms(replay: ReplayedReport) -> tuple[Symptom, ...]:
    """All symptoms that the rules find, the surest first, the same demand once."""
    found = [symptom for rule in RULES for symptom in rule(replay)]
    surest = sorted(found, key=lambda symptom: symptom.confidence)
    by_demand = {(_code(replay, symptom), symptom.demand): symptom for symptom in surest}
    return tuple(sorted(by_demand.values(), key=lambda symptom: -symptom.confidence))


def _code(replay: ReplayedReport, symptom: Symptom) -> str:
    return "".join(replay.program.steps[symptom.step].source.split())
