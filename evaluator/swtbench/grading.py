"""Grades one prediction of SWT-Bench on one instance."""

from __future__ import annotations

import dataclasses
import enum
import time
from collections.abc import Mapping
from dataclasses import dataclass

from evaluator.diff import LARGEST_PATCH, Application, Changes, apply
from evaluator.execution import Executor, RunPair, Subject
from evaluator.judge import Judgement, judge
from evaluator.languages import is_test_file
from evaluator.model import Evaluation, Instance, Phase, Prediction, Run, Side, State, Status
from evaluator.swtbench.expectations import expectations
from evaluator.swtbench.predictions import GOLD
from evaluator.swtbench.reference import grade_reference
from evaluator.transitions import is_success, transitions
from evaluator.workspace import rejections


class Grading(enum.StrEnum):
    """By which rules success is decided: the paper's definition, or the reference harness's."""

    PAPER = "paper"
    REFERENCE = "reference"


@dataclass(frozen=True)
class Graded:
    """An evaluation with the runs that it rests on, by name, for the evidence."""

    evaluation: Evaluation
    runs: Mapping[str, Run]


def grade(
    executor: Executor,
    subject: Subject,
    instance: Instance,
    prediction: Prediction,
    *,
    grading: Grading,
    reruns: int,
) -> Graded:
    """Apply the test files of a prediction, run them on both sides, and judge."""
    started = time.monotonic()
    # The golden tests are believed whole: a few of them also change what the dataset's own split
    # of tests and code, by path, counts as tests and ours as code (sympy/testing, for example).
    keep = None if prediction.name == GOLD else is_test_file
    application = apply(prediction.patch, subject.source, keep=keep)
    tests = application.changes if application.well_formed else Changes()
    golden = apply(instance.test_patch, subject.source).changes
    judgement = judge(executor, subject, tests, golden_tests=golden, reruns=reruns)
    runs = _runs(judgement)
    if silent := _silence(judgement.golden):
        return Graded(not_graded(instance, prediction, State.GOLDEN_ERROR, silent), runs)
    evaluation = dataclasses.replace(
        not_graded(instance, prediction, State.GRADED),
        well_formed=application.well_formed,
        success=_succeeds(judgement, grading),
        transitions=judgement.transitions,
        coverage=judgement.coverage,
        timings=_timings(judgement, time.monotonic() - started),
        reasons=_reasons(application, judgement) + _expectations(instance, prediction, judgement),
        left_out=application.left_out,
        relaxations=application.relaxations,
        commands={name: run.command for name, run in runs.items()},
    )
    return Graded(evaluation, runs)


def not_graded(
    instance: Instance, prediction: Prediction, state: State, *reasons: str
) -> Evaluation:
    """The evaluation of an instance that did not come to be judged, and why."""
    return Evaluation(
        instance_id=instance.instance_id,
        prediction=prediction.name,
        state=state,
        repo=instance.repo,
        reasons=reasons,
        issue_words=len(instance.problem_statement.split()),
        reference_verdict=prediction.reference_verdict,
        patch=_kept(prediction.patch),
        golden_patch=instance.patch,
    )


def _silence(golden: RunPair | None) -> str:
    """Why nothing can be said of any prediction for this instance here; empty where it can."""
    if golden is None:
        return "the golden tests change no test file that can be run"
    if any(outcome.status is Status.PASSED for outcome in golden.fixed.outcomes.values()):
        return ""
    return "no golden test passes with the fix here: the environment does not fit this commit"


def _kept(patch: str) -> str:
    """A patch as reports keep it: one that is too large to be read says so."""
    if len(patch) <= LARGEST_PATCH:
        return patch
    return f"(a patch of {len(patch)} characters; at most {LARGEST_PATCH} are read)"


def _expectations(
    instance: Instance, prediction: Prediction, judgement: Judgement
) -> tuple[str, ...]:
    """For the golden tests: whether they behave here as the dataset says."""
    if prediction.name != GOLD or judgement.golden is None:
        return ()
    return expectations(instance, judgement.golden)


def _succeeds(judgement: Judgement, grading: Grading) -> bool:
    if grading is Grading.PAPER or not judgement.attempts:
        return is_success(judgement.transitions)
    before = judgement.before_tests
    return grade_reference(judgement.transitions, transitions((before,)) if before else ())


def _timings(judgement: Judgement, total: float) -> Mapping[str, float]:
    first = judgement.attempts[0] if judgement.attempts else None
    runs = {} if first is None else {"run_base": first.base, "run_fixed": first.fixed}
    return {"total": total, **{name: run.wall_seconds for name, run in runs.items()}}


def _runs(judgement: Judgement) -> Mapping[str, Run]:
    pairs: dict[str, RunPair] = {}
    for number, pair in enumerate(judgement.attempts):
        pairs["tests" if number == 0 else f"tests-rerun-{number}"] = pair
    if judgement.before_tests:
        pairs["before-tests"] = judgement.before_tests
    return {
        f"{name}-{side}": run
        for name, pair in pairs.items()
        for side, run in (("base", pair.base), ("fixed", pair.fixed))
    }


def _reasons(application: Application, judgement: Judgement) -> tuple[str, ...]:
    if not application.well_formed:
        return tuple(rejections(application)) or ("there is nothing in the prediction to apply",)
    if not judgement.files:
        return ("the prediction changes no test file that can be run",)
    return tuple(_told_by_transitions(judgement))


def _told_by_transitions(judgement: Judgement) -> list[str]:
    own = [t for t in judgement.transitions if not t.preexisting]
    reproducing = sum(t.kind == "F->P" and not t.flaky for t in own)
    failing = [f"{t.test}: {_ending(t.after)} with the fix" for t in own if t.after.status.fails]
    uncollected = [
        f"{t.file}: {_ending(t.after)} with the fix, also as it stood before the prediction"
        for t in judgement.transitions
        if t.preexisting and t.test == t.file and t.after.status.fails
    ]
    flaky = sum(t.flaky for t in own)
    return [
        f"{reproducing} of {len(own)} tests fail without the fix and pass with it",
        *_first(uncollected + failing),
        *([f"{flaky} tests do not end the same way when run again"] if flaky else []),
        *_without_outcome(judgement),
    ]


def _ending(side: Side) -> str:
    where = f" in {side.phase}" if side.phase not in (None, Phase.CALL) else ""
    why = f" ({side.failure.exception_type})" if side.failure else ""
    return f"{side.status}{where}{why}"


def _first(reasons: list[str], shown: int = 5) -> list[str]:
    more = len(reasons) - shown
    return reasons[:shown] + ([f"{more} more tests fail with the fix"] if more > 0 else [])


def _without_outcome(judgement: Judgement) -> list[str]:
    """What is said where a side reported nothing; no more of its log, which differs each time."""
    first = judgement.attempts[0]
    sides = (("without", first.base), ("with", first.fixed))
    return [
        f"no test was run {word} the fix (ending {run.ending}, exit code {run.exit_code})"
        for word, run in sides
        if not run.outcomes
    ]
