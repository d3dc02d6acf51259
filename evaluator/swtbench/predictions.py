"""Predictions: tests that somebody proposes for instances, read from files, or the golden ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from evaluator.errors import InputError
from evaluator.model import Instance, Prediction
from evaluator.swtbench.rows import DataRow, Fields, Problems, fields_of, read_rows

GOLD = "gold"


@dataclass(frozen=True)
class LoadedPredictions:
    """Predictions by name, then by instance id, in the order of the files.

    `unknown_ids` lists, by name, the ids that no instance has; they are not in `predictions`.
    """

    predictions: Mapping[str, Mapping[str, Prediction]]
    unknown_ids: Mapping[str, tuple[str, ...]]


def load_predictions(
    sources: Sequence[str],
    instances: Sequence[Instance],
    *,
    by: str | None = None,
    samples: bool = False,
) -> LoadedPredictions:
    """Read predictions from .jsonl and .json files; the word `gold` stands for the golden tests.

    A file may hold rows, or an object with rows or patches under their ids (`preds.json`). Each
    file is named by its stem; with `by`, the value of that field splits it into several names.
    A null or empty `model_patch` is an empty prediction. Where `samples` are allowed, a second row
    for an instance belongs to `NAME#2`, and so on. Raises InputError naming line and field of all
    that is wrong, or two sources that give the same name.
    """
    if not sources:
        raise InputError("no predictions are given; name a file, or gold for the golden tests")
    known = frozenset(instance.instance_id for instance in instances)
    loaded = _Loaded(known)
    for source in sources:
        if source == GOLD:
            loaded.add(source, {GOLD: _golden(instances)})
        else:
            loaded.add(source, _read(Path(source), by, samples=samples))
    return loaded.result()


def _golden(instances: Sequence[Instance]) -> dict[str, Prediction]:
    return {
        i.instance_id: Prediction(i.instance_id, GOLD, i.test_patch, model=GOLD) for i in instances
    }


class _Loaded:
    """Puts the predictions of several sources together."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self._sources: dict[str, str] = {}
        self._all: dict[str, Mapping[str, Prediction]] = {}

    def add(self, source: str, named: Mapping[str, Mapping[str, Prediction]]) -> None:
        for name, rows in named.items():
            if name in self._sources:
                raise InputError(
                    f"{self._sources[name]} and {source} both give predictions named {name!r}; "
                    "rename one of the files"
                )
            self._sources[name] = source
            self._all[name] = rows

    def result(self) -> LoadedPredictions:
        return LoadedPredictions(
            {
                name: {key: row for key, row in rows.items() if key in self._known}
                for name, rows in self._all.items()
            },
            {
                name: tuple(key for key in rows if key not in self._known)
                for name, rows in self._all.items()
            },
        )


@dataclass
class _File:
    """What was read of one file so far; `places` says where each prediction stands."""

    samples: bool
    named: dict[str, dict[str, Prediction]] = field(default_factory=dict)
    places: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, prediction: Prediction, fields: Fields) -> None:
        if self.samples:
            prediction = self._sample(prediction)
        place = (prediction.name, prediction.instance_id)
        if place in self.places:
            message = f"{prediction.name!r} has {prediction.instance_id} already"
            fields.problem("instance_id", f"{message} ({self.places[place]})")
            return
        self.places[place] = fields.where
        self.named.setdefault(prediction.name, {})[prediction.instance_id] = prediction

    def _sample(self, prediction: Prediction) -> Prediction:
        """The same under the first name that has no prediction for its instance yet."""
        names = (f"{prediction.name}#{n}" if n > 1 else prediction.name for n in count(1))
        free = (name for name in names if (name, prediction.instance_id) not in self.places)
        return dataclasses.replace(prediction, name=next(free))


def _read(path: Path, by: str | None, *, samples: bool) -> Mapping[str, Mapping[str, Prediction]]:
    if not path.exists():
        raise InputError(f"{path}: no such file; name a file with predictions, or the word gold")
    problems, found = Problems(str(path)), _File(samples)
    for row in read_rows(path, problems):
        fields = fields_of(_with_patch(row), problems)
        if fields is not None:
            before = len(problems)
            prediction = _prediction(fields, path.stem, by)
            if len(problems) == before:
                found.add(prediction, fields)
    problems.check()
    if not found.named:
        raise InputError(f"{path}: holds no predictions")
    return found.named


def _with_patch(row: DataRow) -> DataRow:
    """A row of a keyed file that is nothing but a patch, as an object."""
    if row.key is not None and (row.value is None or isinstance(row.value, str)):
        return DataRow(row.where, {"model_patch": row.value}, row.key)
    return row


def _prediction(fields: Fields, stem: str, by: str | None) -> Prediction:
    if not fields.has("model_patch"):
        fields.problem("model_patch", "is missing; an empty prediction has null or empty text")
    return Prediction(
        instance_id=fields.required_text("instance_id"),
        name=stem if by is None else _name(fields, by),
        patch=fields.text("model_patch"),
        model=fields.text("model_name_or_path"),
        reference_verdict=fields.text("reference_verdict"),
    )


def _name(fields: Fields, by: str) -> str:
    value = fields.value(by)
    if isinstance(value, int | float):
        return str(value)
    name = fields.required_text(by)
    if name in (".", ".."):
        fields.problem(by, f"{name!r} cannot name predictions")
    return name
