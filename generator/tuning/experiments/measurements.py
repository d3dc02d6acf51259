"""Measurements of settings, kept so that a command that was stopped goes on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from evaluator import FixgateError
from evaluator.storage import ResultLines, as_json, content_key, read_as
from generator.tuning.devices import device_name, free_memory
from generator.tuning.experiments.sizes import (
    ModelSize,
    SettingSize,
    Workload,
    count_parameters,
    measure,
)
from generator.tuning.saving import writing_to
from generator.unit_tests.run_names import RunName

_NUMBER = 4
"""Bytes of a parameter, and of its gradient."""


@dataclass(frozen=True)
class Measurements:
    """What passes of a model's settings took, kept in a file; what failed is tried again."""

    path: Path
    size: ModelSize

    def of(self, name: RunName, work: Workload) -> SettingSize:
        """Memory and time of a setting; where they cannot be measured, the problem.

        Raises SavingFailedError, InputError for a file that holds something else.
        """
        key = content_key(str(name), asdict(self.size), asdict(work), device_name())
        with writing_to(self.path):
            kept = ResultLines(self.path, lambda row: not row["problem"], name_field="of")
            row = kept.read(key, key)
            if row is None:
                row = as_json(self._measured(name, work))
                kept.write(key, key, row)
        return read_as(SettingSize, {each: row[each] for each in SettingSize.__dataclass_fields__})

    def _measured(self, name: RunName, work: Workload) -> SettingSize:
        counted = count_parameters(name, self.size)
        problem = _too_large(counted)
        if problem:
            return replace(counted, problem=problem)
        try:
            return measure(name, self.size, work)
        except FixgateError as error:
            return replace(counted, problem=str(error))


def _too_large(counted: SettingSize) -> str:
    """Why a pass is not even begun: the system ends any process once memory is used up."""
    least = _NUMBER * (counted.parameters + counted.trained)
    free = free_memory()
    if least <= free:
        return ""
    return f"takes {least / 1e9:.1f} GB at least, and {free / 1e9:.1f} GB are free"
