"""How thoroughly a change is verified: which safeguards run, and which are left out."""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass

LEAST_REGRESSION_SECONDS = 15.0
"""What existing tests get of their time in any case, since small test files are soon judged."""


class Safeguard(enum.StrEnum):
    """What keeps a change from a wrong acceptance, and can be left out to save time."""

    RERUNS = "reruns"
    ISOLATED = "alone"
    SENSITIVITY = "sensitivity"
    OTHER_EXAMPLES = "other examples"
    MUTANTS = "mutants"
    REGRESSIONS = "regressions"


@dataclass(frozen=True)
class Thoroughness:
    """Which safeguards run.

    `reruns` is how often runs are repeated. With `isolated`, reproducing tests run once more
    without the others; with `sensitivity`, on the additions of the change alone, and with their
    expected values replaced; with `other_examples`, on both sides with other examples of the same
    kind; with `mutants`, on parts of the change. `regression_seconds` is the
    most that existing tests may take, 0 for none of them. Unless `regression_fixed`, they take no
    longer than the judged tests did, either.
    """

    reruns: int = 2
    isolated: bool = True
    sensitivity: bool = True
    other_examples: bool = True
    mutants: bool = True
    regression_seconds: float = 60.0
    regression_fixed: bool = False

    def regression_budget(self, judged_seconds: float) -> float:
        """The seconds for existing tests where the judged ones took some."""
        if self.regression_fixed:
            return self.regression_seconds
        return min(self.regression_seconds, max(LEAST_REGRESSION_SECONDS, judged_seconds))

    def with_regressions(self, seconds: float) -> Thoroughness:
        """The same with just these seconds for existing tests."""
        return dataclasses.replace(self, regression_seconds=seconds, regression_fixed=True)

    @property
    def left_out(self) -> tuple[Safeguard, ...]:
        """The safeguards that do not run, or not as often as usual."""
        runs = {
            Safeguard.RERUNS: self.reruns >= Thoroughness.reruns,
            Safeguard.ISOLATED: self.isolated,
            Safeguard.SENSITIVITY: self.sensitivity,
            Safeguard.OTHER_EXAMPLES: self.other_examples,
            Safeguard.MUTANTS: self.mutants,
            Safeguard.REGRESSIONS: self.regression_seconds > 0,
        }
        return tuple(safeguard for safeguard, does in runs.items() if not does)


THOROUGH = Thoroughness()
QUICK = Thoroughness(
    reruns=0, isolated=False, other_examples=False, mutants=False, regression_seconds=0.0
)
"""What `--quick` means: both sides once, the additions alone, and other expected values."""
