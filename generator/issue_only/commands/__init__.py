"""Candidates for programs whose issues show commands: pytest and pylint."""

from __future__ import annotations

from collections.abc import Iterator

from generator.bench import Workbench
from generator.issue_only.commands.rules import CommandSymptom, Crash, command_symptoms
from generator.issue_only.commands.running import output_of
from generator.issue_only.commands.scenario import scenarios
from generator.issue_only.commands.writing import command_test
from generator.issue_only.replaying import packages
from generator.report_text import Report

__all__ = ["CommandSymptom", "command_test", "failing_by", "reported_commands"]

_MOST = 4
"""Commands of one issue that are run."""


def reported_commands(report: Report, bench: Workbench) -> Iterator[CommandSymptom]:
    """What the commands of a report do wrong on the base commit. Raises SandboxError."""
    found = dict.fromkeys(scenarios(report, packages(bench.subject)))
    ran = [(scenario, output_of(bench, scenario)) for scenario in list(found)[:_MOST]]
    yield from command_symptoms(report, ran)


def failing_by(symptom: CommandSymptom) -> str:
    """The name of the exception that a test for the symptom fails with."""
    crash = symptom.demand
    return crash.exception.rpartition(".")[2] if isinstance(crash, Crash) else "AssertionError"
