"""The way in: tests for a ticket of Django, from its text alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from evaluator.diff import Changes
from evaluator.errors import PatchError
from evaluator.outcome import Run
from generator.bench import Workbench
from generator.candidate import Candidate
from generator.formatting import Style, formatted
from generator.issue_only.django.attempt import Attempt
from generator.issue_only.django.material import Material
from generator.issue_only.django.names import Names
from generator.issue_only.django.reading import read_ticket
from generator.issue_only.django.rules.additions import added_tests
from generator.issue_only.django.rules.commands import commands
from generator.issue_only.django.rules.crashes import crashes
from generator.issue_only.django.rules.definitions import broken_definitions, unwanted_checks
from generator.issue_only.django.rules.overrides import overridden_methods
from generator.issue_only.django.rules.own_tests import own_tests
from generator.issue_only.django.rules.prose import defaults, special_methods, unequal
from generator.issue_only.django.rules.serialized import serialized
from generator.issue_only.django.rules.validators import refused_values
from generator.issue_only.django.rules.values import wrong_values
from generator.issue_only.django.writing import TestModule
from generator.placement import placed
from generator.report_text import read_report
from generator.task import Task

Rule = Callable[[Material, Path], Iterator[Attempt]]

MOST = 1
"""Candidates that are proposed for one ticket; each has been seen to fail as it has to."""

STYLE = Style(line_length=119, keeps_quotes=True)

RULES: Sequence[Rule] = (
    added_tests,
    own_tests,
    broken_definitions,
    unwanted_checks,
    overridden_methods,
    serialized,
    commands,
    crashes,
    wrong_values,
    unequal,
    refused_values,
    defaults,
    special_methods,
)
"""The rules, the most reliable first."""


def django_candidates(task: Task, bench: Workbench) -> Iterator[Candidate]:
    """Tests that fail on the base commit in the way that the ticket reports; none to abstain.

    The surest rule comes first. Raises SandboxError.
    """
    tree = task.subject.pristine
    material = Material(read_ticket(read_report(task.issue).text), Names(tree))
    attempts = itertools.chain.from_iterable(rule(material, tree) for rule in RULES)
    yield from itertools.islice(_shown(task, bench, attempts), MOST)


def _shown(task: Task, bench: Workbench, attempts: Iterator[Attempt]) -> Iterator[Candidate]:
    """The attempts that fail on the base commit as they have to."""
    for attempt in attempts:
        try:
            tests = _placed(task, attempt.module)
        except PatchError:
            continue  # a file of this name stands there already and has no room for the test
        if shows(attempt, bench.run_tests(tests)):
            yield _candidate(attempt, tests)


def _placed(task: Task, module: TestModule) -> Changes:
    """The test in its place, in the style that Django had before it took to a formatter."""
    source = task.subject.source
    tests = placed(source, module.path, module.source, line=module.line)
    return formatted(tests, source, STYLE)


def shows(attempt: Attempt, run: Run) -> bool:
    """Whether tests failed, and every one of them in the way that is reported.

    Tests of a file that stood before are none of the attempt's.
    """
    failing = [
        outcome
        for outcome in run.outcomes.values()
        if outcome.status.fails and outcome.test.endswith(attempt.module.method)
    ]
    return bool(failing) and all(o.failure and attempt.shows(o.failure) for o in failing)


def _candidate(attempt: Attempt, tests: Changes) -> Candidate:
    return Candidate(
        tests=tests,
        origin=f"issue-only/{attempt.rule}",
        note=f"{attempt.confidence:.2f} {attempt.words}",
        raw=attempt.module.source,
        symptoms=(attempt.rule, attempt.words),
    )
