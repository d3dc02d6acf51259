"""Writes the tests for one task by one method: proposes, finishes, admits, chooses."""

from __future__ import annotations

import dataclasses
import enum
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator import Admission, Refusal
from evaluator.diff import Changes, unified_diff
from evaluator.languages import is_test_file
from generator.errors import LimitReachedError, ModelError
from generator.method import Choice, Considered, Method, MethodContext
from generator.task import Candidate


class WritingExit(enum.StrEnum):
    """How the work on a task ended."""

    SUBMITTED = "submitted"
    ABSTAINED = "abstained"
    LIMIT_REACHED = "limit_reached"
    MODEL_ERROR = "model_error"
    NOT_RUN = "not_run"


@dataclass(frozen=True)
class Written:
    """What came of one task.

    `patch` is a unified diff on test paths, "" where the method abstains; `reason` says why this
    candidate, or why none. `admitted` says whether the patch passed admission. `confidence` is
    from 0 to 1. `command` runs the tests by hand. `problem` holds what ended the work early.
    """

    patch: str
    reason: str
    exit: WritingExit
    confidence: float = 0.0
    admitted: bool = False
    origin: str = ""
    command: str = ""
    considered: tuple[Considered, ...] = ()
    problem: str = ""
    seconds: float = 0.0


class Submit(enum.StrEnum):
    """What is submitted: only what is admitted, or else the last proposal as it was written."""

    ADMITTED = "admitted"
    ALWAYS = "always"


def write(method: Method, work: MethodContext, submit: Submit = Submit.ADMITTED) -> Written:
    """Let a method work on a task until it is done or a limit ends it; what it found stays.

    Raises SandboxError; errors of models and limits are part of what is returned.
    """
    started = time.monotonic()
    considered: list[Considered] = []
    problem, ended = "", WritingExit.ABSTAINED
    choice: Choice | None = None
    try:
        for candidate in method.candidates(work):
            considered += [_considered(work, candidate)]
        choice = method.choose(work, considered)
    except LimitReachedError as error:
        problem, ended = str(error), WritingExit.LIMIT_REACHED
    except ModelError as error:
        problem, ended = str(error), WritingExit.MODEL_ERROR
    choice = choice or _best_so_far(considered, problem) or _unadmitted(considered, submit)
    written = _written(work, considered, choice, problem, ended)
    return dataclasses.replace(written, seconds=time.monotonic() - started)


def _considered(work: MethodContext, candidate: Candidate) -> Considered:
    """The candidate as it would be submitted, and what admission says of it."""
    finished = _finished(work, candidate)
    if finished.tests.contents:
        admission = work.admit(finished.tests)
    else:
        reason = finished.problem or "changes no test file"
        admission = Admission(Refusal.NO_TEST, reason)
    work.trajectory.note(
        f"{finished.origin}: {'admitted' if admission.admitted else 'not admitted'}: "
        f"{admission.reason}",
        {"patch": unified_diff(finished.tests, work.task.subject.source), "note": finished.note},
    )
    return Considered(finished, admission)


def _finished(work: MethodContext, candidate: Candidate) -> Candidate:
    """Stripped to test paths that it really changes, and formatted as the repository formats."""
    source = work.task.subject.source
    contents = {
        path: content
        for path, content in candidate.tests.contents.items()
        if is_test_file(path) and content != source(path)
    }
    kept = Changes(
        contents,
        candidate.tests.executable.intersection(contents),
        candidate.tests.plain.intersection(contents),
    )
    return dataclasses.replace(candidate, tests=work.finished(kept))


def _best_so_far(considered: Sequence[Considered], problem: str) -> Choice | None:
    """After an early end: the last candidate that was admitted, which had the most work behind."""
    admitted = [c for c in considered if c.admission.admitted] if problem else []
    if not admitted:
        return None
    return Choice(admitted[-1], f"the last one admitted before the end: {problem}", 0.3)


def _unadmitted(considered: Sequence[Considered], submit: Submit) -> Choice | None:
    """As the paper's methods do it: what was proposed last is submitted, believed or not."""
    if submit is Submit.ADMITTED or not considered:
        return None
    return Choice(considered[-1], "submitted though it is not admitted", 0.0)


def _written(
    work: MethodContext,
    considered: Sequence[Considered],
    choice: Choice | None,
    problem: str,
    ended: WritingExit,
) -> Written:
    if choice is None:
        return Written("", _why_not(considered, problem), ended, 0, considered=tuple(considered))
    chosen = choice.considered
    return Written(
        patch=_patch(work, chosen.candidate),
        reason=f"{choice.reason}; {chosen.admission.reason}",
        exit=ended if problem else WritingExit.SUBMITTED,
        confidence=choice.confidence,
        admitted=chosen.admission.admitted,
        origin=chosen.candidate.origin,
        command=work.runner.run_tests(chosen.candidate.tests).command,
        considered=tuple(considered),
        problem=problem,
    )


def _patch(work: MethodContext, candidate: Candidate) -> str:
    """A proposal of which nothing could be applied is handed on raw, so that W can be judged."""
    return unified_diff(candidate.tests, work.task.subject.source) or candidate.raw


def _why_not(considered: Sequence[Considered], problem: str) -> str:
    return "; ".join(_reasons_not(considered, problem)) or "the method proposed nothing"


def _reasons_not(considered: Sequence[Considered], problem: str) -> Iterator[str]:
    if problem:
        yield problem
    for one in considered[-3:]:
        state = "admitted but not chosen" if one.admission.admitted else one.admission.reason
        yield f"{one.candidate.origin}: {state}"
