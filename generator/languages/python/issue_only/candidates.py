"""From an issue to candidate tests: read it, replay it, find its symptoms, write them as tests."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator

from evaluator import PatchError, Revision, Run
from evaluator.diff import Changes
from generator.candidate import Candidate
from generator.languages.python.issue_only.commands import (
    CommandSymptom,
    command_test,
    failing_by,
    reported_commands,
)
from generator.languages.python.issue_only.frameworks import (
    TestStyle,
    style_for,
    warnings_are_errors,
)
from generator.languages.python.issue_only.placing import place
from generator.languages.python.issue_only.program import program_of
from generator.languages.python.issue_only.replaying import replay
from generator.languages.python.issue_only.rules import find_symptoms
from generator.languages.python.issue_only.symptoms import ReplayedReport, Runs, Symptom
from generator.languages.python.issue_only.test_code import DraftTest, code_of_test, function_name
from generator.languages.python.notation import NOTATION
from generator.report_text import read_report
from generator.retrieval import Retrieval
from generator.task import Task
from generator.test_runner import TestRunner

NAME = "issue-only"

MOST = 3
"""Candidates that are proposed for one issue."""

LEAST_CONFIDENCE = 0.5
"""What a rule must be sure of for its candidates to be proposed."""


def replayed(task: Task, runner: TestRunner) -> ReplayedReport:
    """The issue's statements and what they did. Raises SandboxError."""
    report = read_report(task.issue, NOTATION)
    setup = style_of(task).setup.format(application=function_name(report.title))
    program = dataclasses.replace(program_of(report), setup=setup)
    outcomes = replay(runner, program) if program.steps else ()
    return ReplayedReport(report, program, outcomes)


def reproducers(task: Task, runner: TestRunner) -> Iterator[Candidate]:
    """The surest candidate; none where nothing that is reported occurs.

    It was seen to fail on the base commit in the way of its symptom. Raises SandboxError.
    """
    yield from itertools.islice(fitting_candidates(task, runner), 1)


def style_of(task: Task) -> TestStyle:
    """How tests are written in the repository of a task."""
    return style_for(task.subject.environments[Revision.BASE].recipe.framework)


def fitting_candidates(task: Task, runner: TestRunner) -> Iterator[Candidate]:
    """One candidate for each symptom that a test can show, the surest first."""
    found, retrieval = replayed(task, runner), Retrieval(task, runner.cache)
    for attempts, exception in _attempts(task, runner, found, retrieval):
        fitting = (made for made in attempts if _fails_by(exception, made, runner))
        yield from itertools.islice(fitting, 1)


def _attempts(
    task: Task, runner: TestRunner, found: ReplayedReport, retrieval: Retrieval
) -> Iterator[tuple[Iterator[Candidate], str]]:
    """Tests for one symptom each, and the name of the exception that they are to fail with."""
    symptoms = [s for s in find_symptoms(found) if s.confidence >= LEAST_CONFIDENCE]
    for symptom in symptoms[:MOST]:
        made = functools.partial(candidate, task, retrieval, found, symptom)
        ways = quiet_or_not(task, symptom)
        yield (made(quiet=quiet) for quiet in ways), expected_failure(found, symptom)
    for reported in reported_commands(found.report, runner):
        code = command_test(found.report.title, reported)
        yield iter([placed_candidate(task, retrieval, code, reported)]), failing_by(reported)


def quiet_or_not(task: Task, symptom: Symptom) -> tuple[bool, ...]:
    """Whether a test lets warnings pass, in the order in which it is tried.

    Code that must only go through may well warn once it does.
    """
    only_runs = isinstance(symptom.demand, Runs)
    if only_runs and warnings_are_errors(task.subject.pristine):
        return (True,)
    return (False, True)


def _fails_by(exception: str, made: Candidate, runner: TestRunner) -> bool:
    if not made.tests.contents:
        return False
    return fails_as_reported(runner.run_tests(made.tests), made.tests, exception)


def candidate(
    task: Task, retrieval: Retrieval, found: ReplayedReport, symptom: Symptom, *, quiet: bool
) -> Candidate:
    """The test for one symptom of a replay; `quiet` has it let warnings pass."""
    code = code_of_test(found, symptom, style_of(task), quiet=quiet)
    return placed_candidate(task, retrieval, code, symptom)


def placed_candidate(
    task: Task, retrieval: Retrieval, code: DraftTest, symptom: Symptom | CommandSymptom
) -> Candidate:
    """Test code in its place; `note` begins with the confidence of the symptom's rule."""
    origin = f"{NAME}/{symptom.rule}"
    note = f"{symptom.confidence:.2f} {symptom.words}"
    raw = code.source(case="")
    try:
        tests = place(task.subject, retrieval, code, style_of(task))
    except PatchError as error:
        return Candidate(Changes(), origin, note, raw, str(error))
    return Candidate(tests, origin, note, raw, symptoms=(symptom.words,))


def expected_failure(found: ReplayedReport, symptom: Symptom) -> str:
    """The name of the exception that a test for the symptom fails with."""
    raised = found.outcomes[symptom.step].raised
    return raised.name if raised is not None else "AssertionError"


def fails_as_reported(run: Run, tests: Changes, exception: str) -> bool:
    """Whether the tests that fail do so by the exception that shows the symptom.

    Test runners turn warnings into errors, have other settings and another working directory:
    what fails there may be something else than what was replayed.
    """
    failing = [o for o in run.outcomes.values() if o.status.fails and o.file in tests.contents]
    names = {o.failure.exception_type.rpartition(".")[2] if o.failure else "" for o in failing}
    return bool(names) and names <= {exception, "Failed"}
