"""Generated tests, read from files of predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from evaluator.errors import InputError
from evaluator.model import Instance, Prediction
from evaluator.swtbench.formats import read_rows
from evaluator.swtbench.predictions import GOLD, LoadedPredictions, load_predictions
from evaluator.swtbench.rows import Problems


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
