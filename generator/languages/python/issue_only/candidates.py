"""From an issue to candidate tests: read it, replay it, find its symptoms, write them as tests."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from evaluator import PatchError, Revision, Run, Subject
from evaluator.diff import Changes
from generator.languages.python.issue_only.frameworks import (
    TestStyle,
    style_for,
    warnings_are_errors,
)
from generator.languages.python.issue_only.program import program_of
from generator.languages.python.issue_only.replaying import replay
from generator.languages.python.issue_only.rules import find_symptoms
from generator.languages.python.issue_only.symptoms import ReplayedReport, Runs, Symptom
from generator.languages.python.issue_only.test_code import DraftTest, code_of_test, function_name
from generator.languages.python.notation import NOTATION
from generator.languages.python.test_files import placed
from generator.report_text import read_report
from generator.retrieval import Retrieval
from generator.rules import RuleSettings
from generator.task import Candidate, Task, TestRunner

NAME = "issue-only"

MOST = 8
"""Symptoms of one issue that are tested for."""

LEAST_CONFIDENCE = 0.5
"""What a rule must be sure of for its candidates to be proposed."""


def replayed(task: Task, runner: TestRunner) -> ReplayedReport:
    """The issue's statements and what they did. Raises SandboxError."""
    report = read_report(task.issue, NOTATION)
    setup = style_of(task).setup.format(application=function_name(report.title))
    program = dataclasses.replace(program_of(report), setup=setup)
    outcomes = replay(runner, program) if program.steps else ()
    return ReplayedReport(report, program, outcomes)


def style_of(task: Task) -> TestStyle:
    """How tests are written in the repository of a task."""
    return style_for(task.subject.environments[Revision.BASE].recipe.framework)


def reproducers(task: Task, runner: TestRunner, rules: RuleSettings) -> Iterator[Candidate]:
    """One candidate for each symptom that a test can show, the surest first.

    Each was seen to fail on the base commit in the way of its symptom, but for those that `rules`
    do not allow: these hold no test, and say why. Raises SandboxError.
    """
    found, retrieval = replayed(task, runner), Retrieval(task, runner.cache)
    symptoms = [s for s in find_symptoms(found, rules) if s.confidence >= LEAST_CONFIDENCE]
    for symptom in symptoms[:MOST]:
        if not rules.allow(symptom.denies):
            yield _of_symptom(symptom, Changes(), problem=rules.why_not(symptom.denies))
            continue
        ways = quiet_or_not(task, symptom)
        attempts = (candidate(task, retrieval, found, symptom, quiet=quiet) for quiet in ways)
        exception = expected_failure(found, symptom)
        fitting = (made for made in attempts if _fails_by(exception, made, runner))
        yield from itertools.islice(fitting, 1)


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
    task: Task, retrieval: Retrieval, code: DraftTest, symptom: Symptom
) -> Candidate:
    """Test code in its place; without a test where it has none."""
    raw = code.source(case="")
    try:
        tests = place(task.subject, retrieval, code, style_of(task))
    except PatchError as error:
        return _of_symptom(symptom, Changes(), raw, str(error))
    return _of_symptom(symptom, tests, raw)


def _of_symptom(symptom: Symptom, tests: Changes, raw: str = "", problem: str = "") -> Candidate:
    return Candidate(
        tests,
        f"{NAME}/{symptom.rule}",
        symptom.words,
        raw,
        problem,
        symptoms=(symptom.words,) if tests.contents else (),
        rules=symptom.rules,
        confidence=symptom.confidence,
        denies=symptom.denies,
    )


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


_LOOKED_AT = 5
_SIBLINGS = 3
"""Test files that make a directory one of tests; with fewer it may hold data for tests."""


def place(subject: Subject, retrieval: Retrieval, code: DraftTest, style: TestStyle) -> Changes:
    """The changes that bring a test into a tree. Raises PatchError where it has no place.

    A file of its own, since the files that stand can take minutes to run, and may fail for reasons
    of their own where the environment is younger than they are. Definitions that belong to an
    application get a package of their own, where nothing else has their names.
    """
    if code.definitions:
        return _application(subject, code, style)
    directory = _directory(subject.pristine, retrieval)
    path = next(
        path
        for path in (f"{directory}/{name}.py" for name in _names(code.name))
        if subject.source(path) is None
    )
    return placed(subject.source, path, code.source(style.case))


def _application(subject: Subject, code: DraftTest, style: TestStyle) -> Changes:
    package = f"tests/{code.name}"
    if (subject.pristine / package).exists():
        raise PatchError(f"{package} stands there already")
    marker = placed(subject.source, f"{package}/__init__.py", "# The application of tests.py.")
    tests = placed(subject.source, f"{package}/tests.py", code.source(style.case))
    return Changes({**marker.contents, **tests.contents})


def _names(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in itertools.count(2))


def _directory(tree: Path, retrieval: Retrieval) -> PurePosixPath:
    ranked = [file.path for file in retrieval.test_files(_LOOKED_AT)]
    settled = [path for path in ranked if _has_siblings(tree, path)] or ranked
    if not settled:
        raise PatchError("the repository has no test file to put a test beside")
    return PurePosixPath(settled[0]).parent


def _has_siblings(tree: Path, path: str) -> bool:
    return len(list((tree / path).parent.glob("*test*.py"))) >= _SIBLINGS
