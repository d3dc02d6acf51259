"""The rules that find a reported symptom in a replay, and what each is worth."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence

from generator.languages.python.issue_only.rules.crash import (
    failing_assertions,
    other_crashes,
    reported_crashes,
    titled_crashes,
)
from generator.languages.python.issue_only.rules.output import (
    claimed_results,
    missing_refusals,
    wrong_outputs,
)
from generator.languages.python.issue_only.symptoms import (
    LAST_OUTPUT,
    Demand,
    ReplayedReport,
    Runs,
    Symptom,
)
from generator.report_text import SAID_TO_WORK, wants_it_to_work
from generator.rules import RuleSettings

Rule = Callable[[ReplayedReport], Iterator[Symptom]]

RULES: Sequence[Rule] = (
    reported_crashes,
    titled_crashes,
    other_crashes,
    failing_assertions,
    missing_refusals,
    wrong_outputs,
    claimed_results,
)

RULE_NAMES = frozenset(
    {"crash_shown", "crash_named", "crash_instead", "crash_titled", "crash_other", "own_assertion"}
    | {"refusal", "output_blamed", "output_expected"}
    | {"output_any", LAST_OUTPUT, "claimed_crash", "claimed_wrong", "claimed_expected"}
    | {"claimed_only_expected"}
    | {"seen_below", "seen_in_comment", "seen_in_block", "seen_in_words_beside"}
    | {"seen_in_words_after", "expected_in_answer"}
    | {"expected_in_block", "expected_of_version", SAID_TO_WORK}
)
"""What tests can rest on: what finds a symptom, how its output is recognized, what is expected."""


def find_symptoms(replay: ReplayedReport, rules: RuleSettings) -> tuple[Symptom, ...]:
    """All symptoms that the rules find, the surest first.

    The same demand stands there once, as the surest rule in use found it, unless every test is to
    be tried.
    """
    found = [symptom for rule in RULES for symptom in rule(replay)]
    if wants_it_to_work(replay.report.text):
        found = [_said_to_work(symptom) for symptom in found]
    surest = sorted(found, key=lambda symptom: -symptom.confidence)
    if rules.exhaustive:
        return tuple(surest)
    in_use = (symptom for symptom in surest if rules.use(symptom.rules))
    by_demand: dict[tuple[str, Demand], Symptom] = {}
    for symptom in in_use:
        by_demand.setdefault((_code(replay, symptom), symptom.demand), symptom)
    return tuple(by_demand.values())


def _said_to_work(symptom: Symptom) -> Symptom:
    if not isinstance(symptom.demand, Runs):
        return symptom
    return dataclasses.replace(symptom, readings=(*symptom.readings, SAID_TO_WORK))


def _code(replay: ReplayedReport, symptom: Symptom) -> str:
    return "".join(replay.program.steps[symptom.step].source.split())
