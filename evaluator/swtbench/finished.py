"""Evaluations that are finished, a file for each, so that a replay can go on after a kill."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

from evaluator.errors import InputError
from evaluator.model import Evaluation, Prediction, State
from evaluator.storage.evaluations import from_json, to_json
from evaluator.storage.files import write_whole

_FINAL = frozenset({State.GRADED, State.MISSING_PREDICTION})
"""States that a resumed replay keeps; the others may come from a machine that was mended since."""


class Finished:
    """A directory of finished evaluations, `PREDICTION/INSTANCE.json`, each whole or absent."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def read(self, prediction: Prediction, key: str) -> Evaluation | None:
        """The evaluation finished with the same inputs (`key`); None where it is still to do."""
        try:
            row = json.loads(self._path(prediction.name, prediction.instance_id).read_text())
            evaluation = from_json(row["evaluation"]) if row["key"] == key else None
        except (OSError, ValueError, KeyError, TypeError, InputError):
            return None
        return evaluation if evaluation is not None and evaluation.state in _FINAL else None

    def write(self, evaluation: Evaluation, key: str) -> None:
        """Keep an evaluation."""
        path = self._path(evaluation.prediction, evaluation.instance_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        row = {"key": key, "evaluation": to_json(evaluation)}
        write_whole(path, json.dumps(row).encode())

    def _path(self, name: str, instance_id: str) -> Path:
        return self._directory / quote(name, safe="") / f"{instance_id}.json"
