"""How thoroughly a change is verified: which safeguards run, and which are left out."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Safeguard(enum.StrEnum):
    """What keeps a change from a wrong acceptance, and can be left out to save time."""

    RERUNS = "reruns"
    ISOLATED = "alone"
    SENSITIVITY = "sensitivity"
    MUTANTS = "mutants"
    REGRESSIONS = "regressions"


@dataclass(frozen=True)
class Thoroughness:
    """Which safeguards run.

    `reruns` is how often runs are repeated. With `isolated`, reproducing tests run once more
    without the others; with `sensitivity`, with their expected values replaced; with `mutants`, on
    parts of the change. `regression_seconds` is the budget of time for existing tests, 0 for none
    of them.
    """

    reruns: int = 2
    isolated: bool = True
    sensitivity: bool = True
    mutants: bool = True
    regression_seconds: float = 60.0

    @property
    def left_out(self) -> tuple[Safeguard, ...]:
        """The safeguards that do not run, or not as often as usual."""
        runs = {
            Safeguard.RERUNS: self.reruns >= Thoroughness.reruns,
            Safeguard.ISOLATED: self.isolated,
            Safeguard.SENSITIVITY: self.sensitivity,
            Safeguard.MUTANTS: self.mutants,
            Safeguard.REGRESSIONS: self.regression_seconds > 0,
        }
        return tuple(safeguard for safeguard, does in runs.items() if not does)


THOROUGH = Thoroughness()
QUICK = Thoroughness(reruns=0, isolated=False, mutants=False, regression_seconds=0.0)
"""What `--quick` means: both sides once, and once more with other expected values."""
