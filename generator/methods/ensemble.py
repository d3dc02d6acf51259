"""`ensemble`: several writers, surrogate fixes to distinguish their tests, and a choice.

A surrogate fix is a way in which the issue might be solved, written without knowing the real one. A
test that fails on the base commit and passes with most of them is far more often right than one
that only fails (e-Otter++, https://arxiv.org/abs/2508.06365).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator import Admission, Failure, Refusal, Run, Status, TestOutcome, files_to_run
from evaluator.diff import Changes, Source, unified_diff
from evaluator.languages import is_test_file
from generator.errors import LimitReachedError, ModelError
from generator.loop import CODE, LONGEST_REPLY, Loop, LoopSettings, no_gate, shell_rules
from generator.method import SINGLE_WRITER, Choice, Considered, Method, MethodContext
from generator.methods.issue_only import IssueOnly
from generator.methods.pass_then_invert import PassThenInvert
from generator.methods.shell import Agent
from generator.model.protocol import Message, Parameters
from generator.prompts import render
from generator.task import Candidate, TestRunner

AGREED = 0.7
"""How often a submitted test is right that two writers agree on (SWT-Bench predictions)."""
PROVEN = 0.85
"""The same where it passes with every surrogate fix, too; an estimate."""
REFUTED = 0.2
"""The same where it fails with every surrogate fix; an estimate."""

_VALUE = re.compile(r"'[^']*'|\"[^\"]*\"|-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class MatrixRow:
    """An admitted candidate, and with which of the surrogate fixes it passes."""

    considered: Considered
    passes: tuple[bool, ...] = ()

    @property
    def writer(self) -> str:
        """Who wrote it, whatever the stage."""
        return self.considered.candidate.origin.partition("/")[0]


def best(rows: Sequence[MatrixRow], source: Source) -> Choice | None:
    """The best of admitted candidates; None where there is none.

    That its failure matches the issue is what admission asks for. Then, in this order: it passes
    with most surrogate fixes, most writers agree, its failure matches best, it has fewest tests,
    it is shortest.
    """
    if not rows:
        return None
    chosen = min(rows, key=lambda row: _rank(row, rows, source))
    return Choice(chosen.considered, _reason(chosen, rows), _confidence(chosen, rows))


def agree(one: MatrixRow, other: MatrixRow) -> bool:
    """Whether two writers say the same.

    They do when their tests pass with the same surrogate fixes, or, while they pass with none of
    them, when they fail in the same way on the base commit.
    """
    if one.writer == other.writer:
        return False
    if any(one.passes) or any(other.passes):
        return one.passes == other.passes
    return any(
        alike(mine, theirs)
        for mine in one.considered.admission.failing
        for theirs in other.considered.admission.failing
    )


def alike(one: TestOutcome, other: TestOutcome) -> bool:
    """Whether two tests fail in the same way: the same exception or place, or the same values."""
    mine, theirs = one.failure, other.failure
    if mine is None or theirs is None or mine.exception_type != theirs.exception_type:
        return False
    if mine.exception_type != "AssertionError":
        same_place = bool(_place(mine)) and _place(mine) == _place(theirs)
        return mine.message == theirs.message or same_place
    values = _values(mine)
    return bool(values) and values == _values(theirs)


def _place(failure: Failure) -> str:
    """The function of the project's own code in which it happened, "" where that is a test."""
    frame = failure.frame
    return "" if frame is None or is_test_file(frame.path) else f"{frame.path} {frame.function}"


def _values(failure: Failure) -> frozenset[str]:
    """The values that the message of an assertion compares, however it writes them."""
    line = failure.message.strip().partition("\n")[0]
    return frozenset(value.strip("'\"") for value in _VALUE.findall(line))


def _rank(row: MatrixRow, rows: Sequence[MatrixRow], source: Source) -> tuple[int, ...]:
    admission = row.considered.admission
    return (
        -sum(row.passes),
        -len(_agreeing(row, rows)),
        -admission.strength,
        len(admission.failing),
        len(unified_diff(row.considered.candidate.tests, source)),
    )


def _agreeing(row: MatrixRow, rows: Sequence[MatrixRow]) -> set[str]:
    return {other.writer for other in rows if agree(row, other)}


def _reason(row: MatrixRow, rows: Sequence[MatrixRow]) -> str:
    words = [f"chosen of {len(rows)} admitted"]
    if row.passes:
        words.append(f"passes with {sum(row.passes)} of {len(row.passes)} surrogate fixes")
    agreeing = sorted(_agreeing(row, rows))
    if agreeing:
        words.append(f"{row.writer} and {' and '.join(agreeing)} agree")
    return ", ".join(words)


def _confidence(row: MatrixRow, rows: Sequence[MatrixRow]) -> float:
    proven = bool(row.passes) and all(row.passes)
    agreed = bool(_agreeing(row, rows))
    if row.passes and not any(row.passes):
        return REFUTED
    if proven:
        return PROVEN if agreed else AGREED
    return AGREED if agreed else SINGLE_WRITER


STEPS = 30
"""Replies of the conversation in which a fix is written."""
SAMPLING = 0.7
"""Temperature of every fix but the first, so that they differ."""


def surrogate_fix(work: MethodContext, number: int) -> Changes:
    """Let the model solve the issue in a tree of its own; empty where it changes no code.

    It sees the issue and the code, no candidate test and no fix that was written before. Raises
    SandboxError, ModelError and LimitReachedError.
    """
    settings = LoopSettings(
        steps=STEPS,
        command_seconds=work.settings.command_seconds,
        parameters=Parameters(SAMPLING if number else 0.0, LONGEST_REPLY, number),
    )
    with work.runner.shell(repository=True) as shell:
        task = render("surrogate", issue=work.task.issue, steps=settings.steps)
        messages = (shell_rules(work, shell, settings), Message("user", task))
        ended = Loop(work, shell, messages, settings, no_gate, CODE).run()
    ended.raise_error()
    return ended.submission.changes


def is_sound(runner: TestRunner, fix: Changes, considered: Sequence[Considered]) -> bool:
    """Whether a fix breaks nothing that stands in the test files which the candidates touch."""
    if not fix.contents:
        return False
    source = runner.subject.source
    files = {file for one in considered for file in files_to_run(one.candidate.tests)}
    standing = {file: content for file in sorted(files) if (content := source(file)) is not None}
    if not standing:
        return True
    tests = Changes(standing)
    return not _broken(runner.run_tests(tests), runner.run_tests(tests, fix=fix))


def passes_with(runner: TestRunner, one: Considered, fix: Changes) -> bool:
    """Whether the tests that fail on the base commit pass with the fix, and none breaks."""
    tests = one.candidate.tests
    fixed = runner.run_tests(tests, fix=fix)
    failing = one.admission.failing
    passed = all(fixed.status_of(o.test, o.file) is Status.PASSED for o in failing)
    return passed and not _broken(runner.run_tests(tests), fixed)


def _broken(before: Run, after: Run) -> bool:
    passed = [o for o in before.outcomes.values() if o.status is Status.PASSED]
    return any(after.status_of(o.test, o.file).fails for o in passed)


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
