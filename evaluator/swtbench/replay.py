"""Replays SWT-Bench: judges predictions on instances, in parallel, resumably.

Each finished evaluation is a file of its own. A replay that is started again takes what is
finished as it is, provided that its inputs are the same, and tries again what did not run.
"""

from __future__ import annotations

import dataclasses
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from evaluator.diff import apply
from evaluator.environment.types import Recipe
from evaluator.errors import (
    CheckoutError,
    EnvironmentBuildError,
    FixgateError,
    InterpreterMissingError,
    PatchError,
    SandboxError,
)
from evaluator.execution import Subject
from evaluator.languages import language
from evaluator.model import Evaluation, Instance, Prediction, State
from evaluator.run import runner_digest
from evaluator.storage.evidence import evidence_path, write_evidence
from evaluator.storage.keys import content_key
from evaluator.swtbench.finished import Finished
from evaluator.swtbench.grading import Grading, grade, not_graded
from evaluator.workspace import Workspace

Predictions = Mapping[str, Mapping[str, Prediction]]
Progress = Callable[[Evaluation], None]

_STATES: Sequence[tuple[type[FixgateError], State]] = (
    (InterpreterMissingError, State.INTERPRETER_MISSING),
    (EnvironmentBuildError, State.ENVIRONMENT_ERROR),
    (CheckoutError, State.CHECKOUT_ERROR),
    (PatchError, State.GOLDEN_ERROR),
    (SandboxError, State.SANDBOX_ERROR),
)
"""Which error leaves an instance in which state; the first that fits, so the narrower first."""


@dataclass(frozen=True)
class ReplaySettings:
    """How a replay judges. `workers` instances are judged at the same time."""

    grading: Grading = Grading.PAPER
    reruns: int = 0
    workers: int = 1


class Replay:
    """One replay into one output directory."""

    def __init__(self, workspace: Workspace, directory: Path, settings: ReplaySettings) -> None:
        self._workspace = workspace
        self._directory = directory
        self._settings = settings
        self._finished = Finished(directory / "instances")

    def run(
        self, instances: Sequence[Instance], predictions: Predictions, progress: Progress
    ) -> Mapping[str, tuple[Evaluation, ...]]:
        """Judge every prediction on every instance; evaluations by prediction, in their order.

        An instance that cannot be judged ends in a named state and harms no other.
        """
        found: dict[tuple[str, str], Evaluation] = {}
        with ThreadPoolExecutor(max_workers=self._settings.workers) as pool:
            jobs = [pool.submit(self._instance, i, predictions) for i in instances]
            try:
                for job in as_completed(jobs):
                    for evaluation in job.result():
                        found[evaluation.prediction, evaluation.instance_id] = evaluation
                        progress(evaluation)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return {
            name: tuple(found[name, instance.instance_id] for instance in instances)
            for name in predictions
        }

    def _instance(self, instance: Instance, predictions: Predictions) -> list[Evaluation]:
        chosen = [
            rows.get(instance.instance_id, Prediction(instance.instance_id, name, ""))
            for name, rows in predictions.items()
        ]
        keys = {prediction.name: self._key(instance, prediction) for prediction in chosen}
        evaluations = {p.name: self._finished.read(p, keys[p.name]) for p in chosen}
        todo = [p for p in chosen if evaluations[p.name] is None]
        for evaluation in self._judge_all(instance, todo, predictions):
            self._finished.write(evaluation, keys[evaluation.prediction])
            evaluations[evaluation.prediction] = evaluation
        return [evaluation for evaluation in evaluations.values() if evaluation is not None]

    def _key(self, instance: Instance, prediction: Prediction) -> str:
        return content_key(
            {
                "instance": dataclasses.asdict(dataclasses.replace(instance, created_at=None)),
                "prediction": dataclasses.asdict(prediction),
                "grading": self._settings.grading,
                "reruns": self._settings.reruns,
                "probe": runner_digest(language(instance.language)),
            }
        )

    def _judge_all(
        self, instance: Instance, todo: Sequence[Prediction], predictions: Predictions
    ) -> Iterable[Evaluation]:
        given = [p for p in todo if instance.instance_id in predictions[p.name]]
        for prediction in todo:
            if prediction not in given:
                reason = f"{prediction.name} holds no prediction for this instance"
                yield not_graded(instance, prediction, State.MISSING_PREDICTION, reason)
        if not given:
            return
        subject = self._subject(instance)
        for prediction in given:
            yield self._judge(instance, prediction, subject)

    def _subject(self, instance: Instance) -> Subject | Failed:
        try:
            subject = self._workspace.subject(
                instance.repo,
                instance.base_commit,
                instance.patch,
                lambda tree: recipe_of(instance, tree),
                instance.created_at,
            )
            _check_golden_tests(instance, subject)
        except Exception as error:  # whatever it is: one broken instance must not harm another
            return _failed(error)
        return subject

    def _judge(
        self, instance: Instance, prediction: Prediction, subject: Subject | Failed
    ) -> Evaluation:
        if isinstance(subject, Failed):
            return not_graded(instance, prediction, subject.state, *subject.reasons)
        try:
            graded = grade(
                self._workspace.executor,
                subject,
                instance,
                prediction,
                grading=self._settings.grading,
                reruns=self._settings.reruns,
            )
        except Exception as error:
            failed = _failed(error)
            return not_graded(instance, prediction, failed.state, *failed.reasons)
        evaluation = self._with_absent(graded.evaluation, subject)
        write_evidence(self._directory / evidence_path(evaluation), evaluation, graded.runs)
        return evaluation

    def _with_absent(self, evaluation: Evaluation, subject: Subject) -> Evaluation:
        """Where the golden tests do not run, files that the repository lacks may be the cause."""
        absent = self._workspace.trees.absent(subject.pristine)
        if evaluation.state is not State.GOLDEN_ERROR or not absent:
            return evaluation
        lacking = f"the repository lacks the content of: {', '.join(absent[:5])}"
        return dataclasses.replace(evaluation, reasons=(*evaluation.reasons, lacking))


@dataclass(frozen=True)
class Failed:
    """Why an instance could not be made ready: its state and the reasons."""

    state: State
    reasons: tuple[str, ...]


def _failed(error: Exception) -> Failed:
    for kind, state in _STATES:
        if isinstance(error, kind):
            details = [error.log, error.recipe] if isinstance(error, EnvironmentBuildError) else []
            return Failed(state, (str(error), *filter(None, details)))
    return Failed(State.INTERNAL_ERROR, tuple(traceback.format_exception(error)[-6:]))


def _check_golden_tests(instance: Instance, subject: Subject) -> None:
    application = apply(instance.test_patch, subject.source)
    if not application.well_formed:
        raise PatchError(f"{instance.instance_id}: the golden tests do not apply")


def recipe_of(instance: Instance, tree: Path) -> Recipe:
    """The known recipe of an instance's repository and version, else one found from its files."""
    environments = language(instance.language).environments
    return environments.recipe(instance.repo, instance.version, tree)
