"""From an issue to candidate tests: read it, replay it, find its symptoms, write them as tests."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.diff import Changes
from evaluator.errors import PatchError
from evaluator.evaluation import Revision
from generator.bench import Workbench
from generator.candidate import Candidate
from generator.issue_only.django.candidates import django_candidates
from generator.issue_only.placing import place
from generator.issue_only.program import program_of
from generator.issue_only.replaying import replay
from generator.issue_only.rules import find_symptoms
from generator.issue_only.symptoms import Replay, Symptom
from generator.issue_only.writing import test_function
from generator.report_text import read_report
from generator.task import Task

MOST = 3
"""Candidates that are proposed for one issue."""


def replayed(task: Task, bench: Workbench) -> Replay:
    """The issue's statements and what they did. Raises SandboxError."""
    report = read_report(task.issue)
    program = program_of(report)
    outcomes = replay(bench, program) if program.steps else ()
    return Replay(report, program, outcomes)


def reproducers(task: Task, bench: Workbench) -> Iterator[Candidate]:
    """Candidates, the surest first; none where nothing that is reported occurs.

    Django's tests need more around them than a replay can tell, so that it has rules of its own.
    """
    if task.subject.environments[Revision.BASE].recipe.framework == "django":
        yield from django_candidates(task, bench)
        return
    found = replayed(task, bench)
    for symptom in find_symptoms(found)[:MOST]:
        yield candidate(task, found, symptom)


def candidate(task: Task, found: Replay, symptom: Symptom) -> Candidate:
    """The test for one symptom; `note` begins with the confidence of its rule."""
    framework = task.subject.environments[Revision.BASE].recipe.framework
    code = test_function(found, symptom, pytest=framework in ("pytest", "sphinx"))
    origin = f"issue-only/{symptom.rule}"
    note = f"{symptom.confidence:.2f} {symptom.words}"
    try:
        tests = place(task, found, symptom, code)
    except PatchError as error:
        return Candidate(Changes(), origin, note, code, str(error))
    return Candidate(tests, origin, note, code, symptoms=(symptom.rule, symptom.words))
