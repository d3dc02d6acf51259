"""Runs of some tests by themselves: of those that reproduce, and of those that break.

One that needs what others leave may pass by accident, one that measures time may break by chance.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from evaluator.diff import Changes
from evaluator.execution import Executor, RunPair, Subject
from evaluator.judge import Judgement
from evaluator.model import Status, Transition
from evaluator.regressions.confirmation import Tests, confirm
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


def confirmed(
    executor: Executor, subject: Subject, tests: Changes, judgement: Judgement
) -> Judgement:
    """A judgement in which tests are flaky that pass without the change and fail with it by chance.

    They run by themselves for that, as often as existing tests that break. Raises SandboxError.
    """
    suspects = {t.test: t.file for t in judgement.transitions if _breaks(t, judgement)}

    def again(left: Tests, attempt: int) -> RunPair:
        return executor.both(
            *(subject, tests, tuple(sorted(set(left.values())))),
            attempt=len(judgement.attempts) - 1 + attempt,
            only=frozenset(left),
        )

    always = {each.test for each in confirm(suspects, again).always}
    chance = suspects.keys() - always
    found = (
        dataclasses.replace(t, flaky=t.flaky or t.test in chance) for t in judgement.transitions
    )
    return dataclasses.replace(judgement, transitions=tuple(found))


def _breaks(test: Transition, judgement: Judgement) -> bool:
    """Whether it seems to; not one that hangs, which took all its time in each rerun already."""
    is_steady = not test.flaky and not test.after.status.is_cut_short
    return test.kind == "P->F" and is_steady and test.file in judgement.files
