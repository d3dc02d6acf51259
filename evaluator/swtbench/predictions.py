"""Predictions: tests that somebody proposes for instances, read from files, or the golden ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, create_model

from evaluator.errors import InputError
from evaluator.model import Instance, Prediction
from evaluator.swtbench.fields import RequiredText, RowFields, Text, from_number, read_row, refusal
from evaluator.swtbench.rows import DataRow, Problems, read_rows

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

    def add(self, prediction: Prediction, where: str, problems: Problems) -> None:
        if self.samples:
            prediction = self._sample(prediction)
        place = (prediction.name, prediction.instance_id)
        if place in self.places:
            message = f"{prediction.name!r} has {prediction.instance_id} already"
            problems.add(where, f"{message} ({self.places[place]})", field="instance_id")
            return
        self.places[place] = where
        self.named.setdefault(prediction.name, {})[prediction.instance_id] = prediction

    def _sample(self, prediction: Prediction) -> Prediction:
        """The same under the first name that has no prediction for its instance yet."""
        names = (f"{prediction.name}#{n}" if n > 1 else prediction.name for n in count(1))
        free = (name for name in names if (name, prediction.instance_id) not in self.places)
        return dataclasses.replace(prediction, name=next(free))


def _read(path: Path, by: str | None, *, samples: bool) -> Mapping[str, Mapping[str, Prediction]]:
    if not path.exists():
        raise InputError(f"{path}: no such file; name a file with predictions, or the word gold")
    problems, found, model = Problems(str(path)), _File(samples), _model(by)
    for row in read_rows(path, problems):
        fields = read_row(_with_patch(row), model, problems)
        if fields is not None:
            found.add(_prediction(fields, path.stem), row.where, problems)
    problems.check()
    if not found.named:
        raise InputError(f"{path}: holds no predictions")
    return found.named


def _with_patch(row: DataRow) -> DataRow:
    """A row of a keyed file that is nothing but a patch, as an object."""
    if row.key is not None and (row.value is None or isinstance(row.value, str)):
        return DataRow(row.where, {"model_patch": row.value}, row.key)
    return row


class _Row(RowFields):
    instance_id: RequiredText
    model_patch: Text = Field(description="an empty prediction has null or empty text")
    model_name_or_path: Text = ""
    reference_verdict: Text = ""


def _nameable(name: str) -> str:
    if name in (".", ".."):
        raise refusal(f"{name!r} cannot name predictions")
    return name


_Name = Annotated[RequiredText, from_number, AfterValidator(_nameable)]


def _model(by: str | None) -> type[_Row]:
    """The fields of a row; its `name` is what the field `by` holds."""
    if by is None:
        return _Row
    return create_model("_NamedRow", __base__=_Row, name=(_Name, Field(alias=by)))


def _prediction(fields: _Row, stem: str) -> Prediction:
    return Prediction(
        instance_id=fields.instance_id,
        name=getattr(fields, "name", stem),
        patch=fields.model_patch,
        model=fields.model_name_or_path,
        reference_verdict=fields.reference_verdict,
    )
