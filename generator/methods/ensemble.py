"""`ensemble`: several writers, surrogate fixes to distinguish their tests, and a choice."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from evaluator import Admission, Refusal
from evaluator.diff import unified_diff
from generator.candidate import Candidate
from generator.errors import LimitReachedError, ModelError
from generator.matrix import MatrixRow, agree, best
from generator.method import Choice, Considered, Method, MethodContext
from generator.methods.agent import Agent
from generator.methods.issue_only import IssueOnly
from generator.methods.pass_then_invert import PassThenInvert
from generator.surrogates import is_sound, passes_with, surrogate_fix

SURROGATES = 2
"""Surrogate fixes that are written; one more where these two do not distinguish the tests."""

WRITERS: Sequence[Method] = (IssueOnly(), Agent(), PassThenInvert())
"""Who writes, the cheapest first."""


class Ensemble:
    """Issue-only, agent and pass-then-invert; surrogate fixes decide where they disagree.

    A writer is only asked while no two of those before it agree, and surrogate fixes are only
    written where no two of them do. Without a model, it is issue-only.
    """

    name = "ensemble"
    needs_model = False
    replay_only = False

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """What each writer proposes, until two agree."""
        found: list[Considered] = []
        problems: list[ModelError] = []
        writers = [one for one in WRITERS if work.model is not None or not one.needs_model]
        for writer in writers:
            try:
                for candidate in writer.candidates(work):
                    yield candidate
                    found.append(_considered(work, candidate))
            except ModelError as error:  # another writer may fare better: it asks in another way
                work.trajectory.note(f"{writer.name} ended: {error}")
                problems.append(error)
            if _is_agreed(_rows(found)):
                work.trajectory.note(f"two writers agree after {writer.name}: no other is asked")
                return
        if problems and len(problems) == sum(writer.needs_model for writer in writers):
            raise problems[-1]

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:
        """The best of the admitted candidates; see `generator.matrix.best`."""
        rows = _rows(considered)
        if len(rows) > 1 and work.model is not None and not _is_agreed(rows):
            rows = _measured(work, rows)
        return best(rows, work.task.subject.source)


def _considered(work: MethodContext, candidate: Candidate) -> Considered:
    """As it is considered in the end; the same content is run only once."""
    tests = work.finished(candidate.tests)
    admission = work.admit(tests) if tests.contents else Admission(Refusal.NO_TEST, "no test")
    return Considered(dataclasses.replace(candidate, tests=tests), admission)


def _rows(considered: Sequence[Considered]) -> list[MatrixRow]:
    return [MatrixRow(one) for one in considered if one.admission.admitted]


def _is_agreed(rows: Sequence[MatrixRow]) -> bool:
    return any(agree(one, other) for one in rows for other in rows)


def _measured(work: MethodContext, rows: Sequence[MatrixRow]) -> list[MatrixRow]:
    """The rows with what surrogate fixes show; a limit ends the writing of more of them."""
    measured = list(rows)
    for number in range(SURROGATES + 1):
        if number == SURROGATES and _distinguished(measured):
            break
        try:
            measured = _with_surrogate(work, measured, number)
        except (LimitReachedError, ModelError) as error:
            work.trajectory.note(f"no more surrogate fixes: {error}")
            break
    return measured


def _with_surrogate(work: MethodContext, rows: Sequence[MatrixRow], number: int) -> list[MatrixRow]:
    fix = surrogate_fix(work, number)
    if not is_sound(work.runner, fix, [row.considered for row in rows]):
        work.trajectory.note(f"surrogate fix {number + 1} changes no code or breaks tests")
        return list(rows)
    passes = [passes_with(work.runner, row.considered, fix) for row in rows]
    passing = [row.writer for row, passed in zip(rows, passes, strict=True) if passed]
    work.trajectory.note(
        f"surrogate fix {number + 1}: the tests of {', '.join(passing) or 'nobody'} pass",
        {"patch": unified_diff(fix, work.task.subject.source)},
    )
    return [
        MatrixRow(row.considered, (*row.passes, ok)) for row, ok in zip(rows, passes, strict=True)
    ]


def _distinguished(rows: Sequence[MatrixRow]) -> bool:
    """Whether one candidate passes with more of the fixes than every other one."""
    counts = sorted(sum(row.passes) for row in rows)
    return counts[-1] > counts[-2]
