"""Further runs of reproducing tests: isolated, and with other expected values.

Code and tests share one process, so that code can have any test pass: by what it returns (a value
that equals everything), or by changing what runs it. It cannot know which of the values that it is
compared with is the expected one. Tests that do not notice the difference say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from evaluator.diff import Changes
from evaluator.execution import Executor, RunPair, Subject
from evaluator.judge import Judgement
from evaluator.languages.safeguards import NegatedTests
from evaluator.model import Revision, Run, Status, Transition
from evaluator.storage.keys import content_key
from evaluator.test_names import function_name, function_of
from evaluator.verdict.evidence import Sensitivity, TrialOutcome, reproduces

MOST = 5
"""Test functions that run alone; each takes a run on both sides."""


def dependent(
    executor: Executor, subject: Subject, tests: Changes, judgement: Judgement
) -> tuple[Transition, ...]:
    """The reproducing tests that pass without the change, or fail with it, when they run alone.

    A test function runs with all its cases. Raises SandboxError.
    """
    groups = list(_groups(judgement.transitions))[:MOST]
    return tuple(
        t
        for group in groups
        for t in _differing(executor, subject, tests, group, judgement.attempts[0])
    )


def _groups(transitions: Iterable[Transition]) -> Iterator[list[Transition]]:
    reproducing = [t for t in transitions if reproduces(t)]
    for function in dict.fromkeys((t.file, function_name(t.test)) for t in reproducing):
        yield [t for t in reproducing if (t.file, function_name(t.test)) == function]


def _differing(
    executor: Executor,
    subject: Subject,
    tests: Changes,
    group: list[Transition],
    earlier: RunPair,
) -> Iterator[Transition]:
    only = frozenset(t.test for t in group)
    pair = executor.both(subject, tests, (group[0].file,), attempt=1, only=only, earlier=earlier)
    for t in group:
        before, after = (run.status_of(t.test, t.file) for run in (pair.base, pair.fixed))
        if not (before.fails and after is Status.PASSED):
            yield t


def sensitivity(
    executor: Executor, subject: Subject, tests: Changes, judgement: Judgement
) -> tuple[Sensitivity, ...]:
    """How each test reacts that fails without the change and passes with it.

    One run on the fixed side, of these tests alone. Raises SandboxError.
    """
    trying = [t for t in judgement.transitions if reproduces(t)]
    if not trying:
        return ()
    files = tuple(sorted({t.file for t in trying}.intersection(judgement.files)))
    negated = _negated(subject, tests, files, frozenset(function_of(t.test) for t in trying))
    if not negated.contents:
        return tuple(Sensitivity(t.test, t.file, TrialOutcome.UNTRIED) for t in trying)
    changes = tests.merged(Changes(negated.contents))
    names = frozenset(t.test for t in trying)
    run = executor.run(subject, Revision.FIXED, changes, files, only=names)
    return tuple(_reaction(t, run, negated) for t in trying)


def _negated(
    subject: Subject, tests: Changes, files: tuple[str, ...], functions: frozenset[str]
) -> NegatedTests:
    read = tests.overlaid(subject.fix.overlaid(subject.source))
    environment = subject.environments[Revision.FIXED]
    key = content_key(subject.repo, subject.commit, subject.fix.digest, tests.digest)
    safeguards = subject.language.safeguards
    return safeguards.negate_assertions(files, functions, read, environment, key)


def _reaction(test: Transition, run: Run, negated: NegatedTests) -> Sensitivity:
    """What the outcome of a test comes to; one that does not say so was not tried."""
    if run.status_of(test.test, test.file) is Status.PASSED:
        # A function that only a part of its name was found for may be another test.
        found = function_of(test.test) in negated.functions
        reaction = TrialOutcome.HELD if found else TrialOutcome.UNTRIED
        return Sensitivity(test.test, test.file, reaction)
    outcome = run.outcomes.get(test.test)
    message = outcome.failure.message if outcome and outcome.failure else ""
    said = re.search(rf"{negated.token} (?:held (?P<place>.*)|noticed (?P<number>\d+))", message)
    if said is None:
        return Sensitivity(test.test, test.file, TrialOutcome.UNTRIED)
    if said["number"] is None:
        return Sensitivity(test.test, test.file, TrialOutcome.HELD, place=said["place"])
    number = int(said["number"])
    reaction = TrialOutcome.NOTICED if number else TrialOutcome.NOTHING
    return Sensitivity(test.test, test.file, reaction, number)
