"""The way in: tests for a ticket of Django, from its text alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from evaluator.diff import Changes
from evaluator.errors import PatchError
from evaluator.outcome import Run, TestOutcome
from generator.candidate import Candidate
from generator.issue_only.django.attempt import Attempt
from generator.issue_only.django.material import Material
from generator.issue_only.django.names import Names
from generator.issue_only.django.reading import read_ticket
from generator.issue_only.django.rules.commands import commands
from generator.issue_only.django.rules.crashes import crashes
from generator.issue_only.django.rules.definitions import broken_definitions, unwanted_checks
from generator.issue_only.django.rules.overrides import overridden_methods
from generator.issue_only.django.rules.own_tests import own_tests
from generator.issue_only.django.rules.serialized import serialized
from generator.method import Work
from generator.placement import placed
from generator.report_text import Report

Rule = Callable[[Material, Path], Iterator[Attempt]]

RULES: Sequence[Rule] = (
    own_tests,
    broken_definitions,
    unwanted_checks,
    overridden_methods,
    serialized,
    commands,
    crashes,
)
"""The rules, the most reliable first."""


def django_candidates(work: Work, report: Report) -> Iterator[Candidate]:
    """Tests that fail on the base commit in the way that the ticket reports; none to abstain.

    What is most to be trusted comes first. Raises SandboxError.
    """
    tree = work.task.subject.pristine
    material = Material(read_ticket(report.text), Names(tree))
    for rule in RULES:
        for attempt in rule(material, tree):
            candidate = _tried(work, attempt)
            if candidate is not None:
                yield candidate
                break


def _tried(work: Work, attempt: Attempt) -> Candidate | None:
    """The attempt as a candidate, where it fails on the base commit as it has to."""
    source = work.task.subject.source
    try:
        tests = placed(source, attempt.module.path, attempt.module.source)
    except PatchError as error:
        work.trajectory.note(f"{attempt.rule}: {error}")
        return None
    failing = _failing(work.bench.run_tests(tests))
    shown = bool(failing) and all(o.failure and attempt.shows(o.failure) for o in failing)
    work.trajectory.note(
        f"{attempt.rule}: {'shows' if shown else 'does not show'} what is reported",
        {"failures": [_told(outcome) for outcome in failing], "test": attempt.module.source},
    )
    return _candidate(attempt, tests, failing) if shown else None


def _candidate(attempt: Attempt, tests: Changes, failing: Sequence[TestOutcome]) -> Candidate:
    return Candidate(
        tests=tests,
        origin="issue-only",
        note=f"{attempt.rule}: {attempt.note}",
        raw=attempt.module.source,
        symptoms=tuple(_told(outcome) for outcome in failing),
    )


def _failing(run: Run) -> list[TestOutcome]:
    return [outcome for outcome in run.outcomes.values() if outcome.status.fails]


def _told(outcome: TestOutcome) -> str:
    failure = outcome.failure
    return f"{failure.exception_type}: {failure.message}" if failure else str(outcome.status)
