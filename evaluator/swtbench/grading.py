"""Grades one prediction of SWT-Bench on one instance by what its runs showed."""

from __future__ import annotations

import dataclasses
import enum
import traceback
from collections.abc import Mapping

from evaluator.diff import LARGEST_PATCH
from evaluator.errors import EnvironmentBuildError, state_of
from evaluator.execution import RunPair
from evaluator.judge import Judgement
from evaluator.model import Evaluation, Instance, Phase, Prediction, Side, State, Status
from evaluator.swtbench.predictions import GOLD
from evaluator.swtbench.reference import expectations, grade_reference
from evaluator.swtbench.trial import Prepared, Trial
from evaluator.transitions import is_success, transitions
from evaluator.workspace import rejections


class Grading(enum.StrEnum):
    """By which rules success is decided: the paper's definition, or the reference harness's."""

    PAPER = "paper"
    REFERENCE = "reference"


def grade(prepared: Prepared, trial: Trial, grading: Grading) -> Evaluation:
    """The evaluation of a prediction whose tests were run."""
    if silent := _silence(prepared.golden_runs):
        reasons = (silent, *_lacking(prepared))
        return not_graded(prepared.instance, trial.prediction, State.GOLDEN_ERROR, *reasons)
    judgement, application = trial.judgement, trial.application
    return dataclasses.replace(
        not_graded(prepared.instance, trial.prediction, State.GRADED),
        well_formed=application.well_formed,
        success=_succeeds(judgement, grading),
        transitions=judgement.transitions,
        coverage=judgement.coverage,
        timings=_timings(trial),
        reasons=_reasons(trial) + _expectations(prepared, trial.prediction),
        left_out=application.left_out,
        relaxations=application.relaxations,
        commands={name: run.command for name, run in trial.runs.items()},
    )


def failed(instance: Instance, prediction: Prediction, error: Exception) -> Evaluation:
    """The evaluation of an instance that an error kept from being judged."""
    state = State(state_of(error, unusable_patch=State.GOLDEN_ERROR))
    if state is State.INTERNAL_ERROR:
        return not_graded(instance, prediction, state, *traceback.format_exception(error)[-6:])
    details = [error.log, error.recipe] if isinstance(error, EnvironmentBuildError) else []
    return not_graded(instance, prediction, state, str(error), *filter(None, details))


def not_given(instance: Instance, prediction: Prediction) -> Evaluation:
    """The evaluation where there is no prediction for an instance; `prediction` names it only."""
    reason = f"{prediction.name} holds no prediction for this instance"
    return not_graded(instance, prediction, State.MISSING_PREDICTION, reason)


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


def _lacking(prepared: Prepared) -> tuple[str, ...]:
    """Where the golden tests do not run, files that the repository lacks may be the cause."""
    if not prepared.absent:
        return ()
    return (f"the repository lacks the content of: {', '.join(prepared.absent[:5])}",)


def _kept(patch: str) -> str:
    """A patch as reports keep it: one that is too large to be read says so."""
    if len(patch) <= LARGEST_PATCH:
        return patch
    return f"(a patch of {len(patch)} characters; at most {LARGEST_PATCH} are read)"


def _expectations(prepared: Prepared, prediction: Prediction) -> tuple[str, ...]:
    """For the golden tests: whether they behave here as the dataset says."""
    if prediction.name != GOLD or prepared.golden_runs is None:
        return ()
    return expectations(prepared.instance, prepared.golden_runs)


def _succeeds(judgement: Judgement, grading: Grading) -> bool:
    if grading is Grading.PAPER or not judgement.attempts:
        return is_success(judgement.transitions)
    before = judgement.before_tests
    return grade_reference(judgement.transitions, transitions((before,)) if before else ())


def _timings(trial: Trial) -> Mapping[str, float]:
    if not trial.judgement.attempts:
        return {"total": trial.seconds}
    first = trial.judgement.attempts[0]
    return {
        "total": trial.seconds,
        "run_base": first.base.wall_seconds,
        "run_fixed": first.fixed.wall_seconds,
    }


def _reasons(trial: Trial) -> tuple[str, ...]:
    if not trial.application.well_formed:
        refused = tuple(rejections(trial.application))
        return refused or ("there is nothing in the prediction to apply",)
    if not trial.judgement.files:
        return ("the prediction changes no test file that can be run",)
    return tuple(_told_by_transitions(trial.judgement))


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
