"""Memory and time of a pass by the length of a context (thesis, figure 4.1, p. 24).

A hard context stands in the prompt; a soft one is read by a prompt generator, so that the language
model sees some soft tokens in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generator.tuning.experiments.measurements import Measurements
from generator.tuning.experiments.questions import HARD_AND_SOFT
from generator.tuning.experiments.sizes import SettingSize, Workload
from generator.unit_tests.run_names import RunName


@dataclass(frozen=True)
class ContextCost:
    """What a pass of a setting took with a context of so many tokens."""

    context: int
    found: SettingSize


def context_costs(
    lengths: Sequence[int], measurements: Measurements, work: Workload
) -> Iterator[ContextCost]:
    """The costs of each length in each setting; all else is as in `work`."""
    for name in HARD_AND_SOFT:
        for length in lengths:
            yield ContextCost(length, measurements.of(name, _with(name, work, length)))


def _with(name: RunName, work: Workload, length: int) -> Workload:
    if name.soft is None:
        return replace(work, tokens=work.tokens + length, context=0)
    return replace(work, context=length)
