"""Runs of reproducing tests alone: one that needs what others leave may pass by accident."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evaluator.diff import Changes
from evaluator.execution import Executor, Subject
from evaluator.judge import Judgement
from evaluator.model import Status, Transition
from evaluator.test_names import function_name
from evaluator.verdict.evidence import reproduces

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
        for t in _differing(executor, subject, tests, group, hung_before=judgement.hung)
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
    *,
    hung_before: bool,
) -> Iterator[Transition]:
    only = frozenset(t.test for t in group)
    pair = executor.both(
        subject, tests, (group[0].file,), attempt=1, only=only, hung_before=hung_before
    )
    for t in group:
        before, after = (run.status_of(t.test, t.file) for run in (pair.base, pair.fixed))
        if not (before.fails and after is Status.PASSED):
            yield t
