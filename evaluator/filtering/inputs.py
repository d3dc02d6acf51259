"""Fixes that are to be judged, and generated tests to judge them by, read from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from evaluator.errors import InputError
from evaluator.model import Instance, Prediction
from evaluator.swtbench.fields import RequiredText, RowFields, Text, from_number, read_row
from evaluator.swtbench.predictions import GOLD, LoadedPredictions, load_predictions
from evaluator.swtbench.rows import Problems, read_rows


@dataclass(frozen=True)
class Fix:
    """A code patch that somebody proposes for an instance.

    `name` tells apart several fixes of one instance (the run that they come from). `resolved` says
    whether the golden tests pass with it, None where nobody knows.
    """

    instance_id: str
    name: str
    patch: str
    resolved: bool | None = None


@dataclass(frozen=True)
class LoadedFixes:
    """Fixes in the order of the file, and the ids that no instance has."""

    fixes: tuple[Fix, ...]
    unknown_ids: tuple[str, ...]


def load_fixes(path: Path, instances: Sequence[Instance]) -> LoadedFixes:
    """Read fixes from a .jsonl, .json or .parquet file.

    A row has `instance_id`, `model_patch`, and optionally `resolved` (true, false or null) and
    `run`, `name` or `model_name_or_path`: the first that is there names the fix, else the file
    does. Raises InputError naming line and field of all that is wrong, two fixes of one name for an
    instance included.
    """
    if not path.exists():
        raise InputError(f"{path}: no such file; name a file with fixes")
    problems, places = Problems(str(path)), dict[tuple[str, str], str]()
    found: list[Fix] = []
    for row in read_rows(path, problems):
        fields = read_row(row, _Row, problems)
        if fields is not None:
            found.append(_fix(fields, path.stem))
            _check_unique(found[-1], row.where, places, problems)
    problems.check()
    if not found:
        raise InputError(f"{path}: holds no fixes")
    known = frozenset(instance.instance_id for instance in instances)
    return LoadedFixes(
        tuple(fix for fix in found if fix.instance_id in known),
        tuple(dict.fromkeys(fix.instance_id for fix in found if fix.instance_id not in known)),
    )


_Name = Annotated[Text, from_number]
_Resolved = Annotated[bool | None, BeforeValidator(lambda value: None if value == "" else value)]


class _Row(RowFields):
    instance_id: RequiredText
    model_patch: Text = Field(description="a fix without changes has null or empty text")
    run: _Name = ""
    name: _Name = ""
    model_name_or_path: _Name = ""
    resolved: _Resolved = None


def _fix(fields: _Row, stem: str) -> Fix:
    name = fields.run or fields.name or fields.model_name_or_path or stem
    return Fix(fields.instance_id, name, fields.model_patch, fields.resolved)


def _check_unique(
    fix: Fix, where: str, places: dict[tuple[str, str], str], problems: Problems
) -> None:
    place = (fix.instance_id, fix.name)
    if place in places:
        message = f"a fix named {fix.name!r} stands already ({places[place]}); name its run"
        problems.add(where, message, field="instance_id")
    places.setdefault(place, where)


def load_tests(
    sources: Sequence[str], instances: Sequence[Instance], *, by: str | None = None
) -> LoadedPredictions:
    """Read files of predictions; `by` names the rows of those that have such a field by it.

    Several rows for an instance are samples of one writer: `NAME`, `NAME#2` and so on. Raises
    InputError for golden tests, for two runs of one name, and as `load_predictions`.
    """
    predictions: dict[str, Mapping[str, Prediction]] = {}
    unknown: dict[str, tuple[str, ...]] = {}
    for source in sources:
        if source == GOLD:
            raise InputError("golden tests know the answer: fixes are filtered by generated tests")
        field = by if by and _has(Path(source), by) else None
        loaded = load_predictions([source], instances, by=field, samples=True)
        if twice := predictions.keys() & loaded.predictions.keys():
            raise InputError(f"{source}: tests named {min(twice)!r} were given already; rename it")
        predictions |= loaded.predictions
        unknown |= loaded.unknown_ids
    return LoadedPredictions(predictions, unknown)


def writer_of(prediction: Prediction) -> str:
    """Who wrote it: the model or method that the row names, else the file (samples aside)."""
    return prediction.model or prediction.name.partition("#")[0]


def _has(path: Path, field: str) -> bool:
    """Whether the first row of a file has a field; what is wrong with it is told later."""
    if not path.exists():
        return False
    rows = islice(read_rows(path, Problems(str(path))), 1)
    return any(isinstance(row.value, dict) and field in row.value for row in rows)
