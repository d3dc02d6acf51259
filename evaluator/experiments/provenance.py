"""Where predictions come from: what `fixgate generate` writes beside each patch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from evaluator.errors import InputError
from evaluator.swtbench.fields import RequiredText, RowFields, Text, read_row
from evaluator.swtbench.rows import Problems, read_rows


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
    problems = Problems(str(path))
    rows = list(filter(None, [read_row(row, _Row, problems) for row in read_rows(path, problems)]))
    problems.check()
    if not rows:
        raise InputError(f"{path}: holds no rows")
    ways = {(row.method, row.model, *row.settings.way) for row in rows}
    if len(ways) > 1:
        raise InputError(f"{path}: its rows were made in {len(ways)} different ways")
    return Provenance(*ways.pop(), {row.instance_id: _effort(row) for row in rows})


class _Settings(RowFields):
    given_patch: str
    names_test_file: bool
    samples: int
    rounds: int

    @property
    def way(self) -> tuple[str, bool, int, int]:
        return self.given_patch, self.names_test_file, self.samples, self.rounds


class _Row(RowFields):
    instance_id: RequiredText
    method: str
    model: str
    settings: _Settings = Field(description="was it made by `fixgate generate`?")
    calls: int
    cost_usd: float | None
    seconds: float
    confidence: float
    model_patch: Text


def _effort(row: _Row) -> Effort:
    submitted = bool(row.model_patch)
    return Effort(row.calls, row.cost_usd, row.seconds, row.confidence, submitted)
