"""Where predictions come from: what `fixgate generate` writes beside each patch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.errors import InputError


@dataclass(frozen=True)
class Effort:
    """What one prediction took. `cost_usd` is None where the model's price is not known."""

    calls: int
    cost_usd: float | None
    seconds: float
    confidence: float
    submitted: bool


@dataclass(frozen=True)
class Provenance:
    """What the rows of one file have in common, and the effort behind each, by instance.

    `samples` and `rounds` are as they were asked for, 0 for the method's own.
    """

    method: str
    model: str
    given_patch: str
    names_test_file: bool
    samples: int
    rounds: int
    efforts: Mapping[str, Effort]


def read_provenance(path: Path) -> Provenance:
    """Read a file of predictions that `fixgate generate` wrote.

    Raises InputError, naming file and line, for rows without provenance, and for a file whose rows
    were made in different ways.
    """
    rows = list(_rows(path))
    if not rows:
        raise InputError(f"{path}: holds no rows")
    try:
        ways = {_way(row) for row in rows}
        efforts = {str(row["instance_id"]): _effort(row) for row in rows}
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{path}: a row lacks {error}; was it made by `fixgate generate`?"
        ) from error
    if len(ways) > 1:
        raise InputError(f"{path}: its rows were made in {len(ways)} different ways")
    return Provenance(*ways.pop(), efforts)


def _rows(path: Path) -> Iterable[Mapping[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{path}, line {number}: is no JSON: {error}") from error
        if not isinstance(row, dict):
            raise InputError(f"{path}, line {number}: is no object")
        yield row


def _way(row: Mapping[str, Any]) -> tuple[str, str, str, bool, int, int]:
    settings = row["settings"]
    return (
        str(row["method"]),
        str(row["model"]),
        str(settings["given_patch"]),
        bool(settings["names_test_file"]),
        int(settings["samples"]),
        int(settings["rounds"]),
    )


def _effort(row: Mapping[str, Any]) -> Effort:
    cost = row["cost_usd"]
    return Effort(
        calls=int(row["calls"]),
        cost_usd=None if cost is None else float(cost),
        seconds=float(row["seconds"]),
        confidence=float(row["confidence"]),
        submitted=bool(row["model_patch"]),
    )
