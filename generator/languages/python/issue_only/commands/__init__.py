"""Candidates for programs whose issues show commands: pytest and pylint."""

from __future__ import annotations

from collections.abc import Iterator

from generator.languages.python.issue_only.commands.scenario import output_of, scenarios
from generator.languages.python.issue_only.commands.symptoms import (
    CommandSymptom,
    Crash,
    command_symptoms,
)
from generator.languages.python.issue_only.commands.writing import command_test
from generator.languages.python.issue_only.replaying import packages
from generator.report_text import IssueReport
from generator.test_runner import TestRunner

__all__ = ["CommandSymptom", "command_test", "failing_by", "reported_commands"]

_MOST = 4
"""Commands of one issue that are run."""


def reported_commands(report: IssueReport, runner: TestRunner) -> Iterator[CommandSymptom]:
    """What the commands of a report do wrong on the base commit. Raises SandboxError."""
    found = dict.fromkeys(scenarios(report, packages(runner.subject)))
    ran = [(scenario, output_of(runner, scenario)) for scenario in list(found)[:_MOST]]
    yield from command_symptoms(report, ran)


def failing_by(symptom: CommandSymptom) -> str:
    """The name of the exception that a test for the symptom fails with."""
    crash = symptom.demand
    return crash.exception.rpartition(".")[2] if isinstance(crash, Crash) else "AssertionError"
