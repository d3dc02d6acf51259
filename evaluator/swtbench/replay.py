"""Replays SWT-Bench: judges predictions on instances, in parallel, resumably.

Each instance is prepared once. Then, for each prediction: run its tests, grade what they showed,
write the evidence and the evaluation. A replay that is started again takes what is finished as it
is, provided that its inputs are the same, and tries again what did not run.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from evaluator.batch import Carrier, Item, RemoteForm, run_batch, shared
from evaluator.languages import language
from evaluator.model import Evaluation, Instance, Prediction, State
from evaluator.run import runner_digest
from evaluator.storage.evaluations import from_json, to_json
from evaluator.storage.evidence import evidence_folder, evidence_path, write_evidence
from evaluator.storage.keys import content_key
from evaluator.storage.results import ResultFiles
from evaluator.storage.typed import as_json
from evaluator.swtbench.grading import Grading, failed, grade, not_given
from evaluator.swtbench.trial import Prepared, prepare, try_tests
from evaluator.workspace import Workspace

Predictions = Mapping[str, Mapping[str, Prediction]]
Progress = Callable[[Evaluation], None]

_FINAL = frozenset({State.GRADED, State.MISSING_PREDICTION})
"""States that a resumed replay keeps; the others may come from a machine that was mended since."""


@dataclass(frozen=True)
class ReplaySettings:
    """How a replay judges. `workers` instances are judged at the same time."""

    grading: Grading = Grading.PAPER
    reruns: int = 0
    workers: int = 1


@dataclass(frozen=True)
class SharedInputs:
    """What the items of an instance have in common, as it travels to a worker."""

    instance: Instance
    grading: Grading
    reruns: int


def is_final(evaluation: Evaluation) -> bool:
    """Whether a resumed replay keeps it."""
    return evaluation.state in _FINAL


class Replay:
    """One replay into one output directory, carried out by threads, or by a carrier."""

    def __init__(
        self,
        workspace: Workspace,
        directory: Path,
        settings: ReplaySettings,
        carrier: Carrier | None = None,
    ) -> None:
        self._carrier = carrier
        self._workspace = workspace
        self._directory = directory
        self._settings = settings
        self._store = ResultFiles(
            directory / "instances",
            "evaluation",
            to_json=to_json,
            from_json=from_json,
            is_final=is_final,
        )

    def run(
        self, instances: Sequence[Instance], predictions: Predictions, progress: Progress
    ) -> Mapping[str, tuple[Evaluation, ...]]:
        """Judge every prediction on every instance; evaluations by prediction, in their order.

        An instance that cannot be judged ends in a named state and harms no other.
        """
        found = run_batch(
            (self.items(instance, predictions) for instance in instances),
            self._store,
            workers=self._settings.workers,
            progress=progress,
            carrier=self._carrier,
        )
        return {
            name: tuple(found[_item_name(name, instance)] for instance in instances)
            for name in predictions
        }

    def items(self, instance: Instance, predictions: Predictions) -> Iterator[Item[Evaluation]]:
        """One for each prediction; those that are to be judged share what is prepared."""
        prepared = shared(lambda: prepare(self._workspace, instance))
        for name, rows in predictions.items():
            if instance.instance_id in rows:
                yield self._item(instance, rows[instance.instance_id], prepared)
            else:
                yield self._item_without_prediction(instance, name)

    def _item(
        self, instance: Instance, prediction: Prediction, prepared: Callable[[], Prepared]
    ) -> Item[Evaluation]:
        return Item(
            _item_name(prediction.name, instance),
            self._key(instance, prediction),
            lambda: self._evaluate(prediction, prepared()),
            lambda error: failed(instance, prediction, error),
            self._remote(instance, prediction),
        )

    def _remote(self, instance: Instance, prediction: Prediction) -> RemoteForm[Evaluation]:
        settings = self._settings
        return RemoteForm(
            kind="replay",
            affinity=instance.affinity,
            common=lambda: as_json(SharedInputs(instance, settings.grading, settings.reruns)),
            inputs=lambda: as_json(prediction),
            read=from_json,
            directory=self._directory,
            files=evidence_folder(prediction.name, instance.instance_id),
        )

    def _item_without_prediction(self, instance: Instance, name: str) -> Item[Evaluation]:
        prediction = Prediction(instance.instance_id, name, "")
        return Item(
            _item_name(name, instance),
            self._key(instance, prediction),
            lambda: not_given(instance, prediction),
            lambda error: failed(instance, prediction, error),
        )

    def _evaluate(self, prediction: Prediction, prepared: Prepared) -> Evaluation:
        trial = try_tests(self._workspace, prepared, prediction, reruns=self._settings.reruns)
        evaluation = grade(prepared, trial, self._settings.grading)
        write_evidence(self._directory / evidence_path(evaluation), evaluation, trial.runs)
        return evaluation

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


def _item_name(prediction: str, instance: Instance) -> str:
    """The name of an evaluation, which is its path in the output directory, too."""
    return f"{quote(prediction, safe='')}/{instance.instance_id}"
