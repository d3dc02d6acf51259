"""What existing tests say of a change, and how they were chosen."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from evaluator.model import Transition


class ChosenBy(enum.StrEnum):
    """By what existing tests were chosen."""

    CONTEXTS = "contexts"
    IMPORTS = "imports"


@dataclass(frozen=True)
class Regressions:
    """Existing tests that a change can affect, run as the base has them on both sides.

    `budget` and `seconds` are what could be spent and what was; a budget of 0 runs nothing.
    `tests` ended on both sides, out of `files` test files of the `affected` ones that the change
    can affect; `cut` says whether the budget ended a run. `broken` pass without the change and fail
    with it, each time and alone, too; `adapted` do so only until the change's own edits of test
    support are applied, and `unsteady` not each time.
    """

    budget: float = 0.0
    seconds: float = 0.0
    tests: int = 0
    files: int = 0
    affected: int = 0
    cut: bool = False
    chosen_by: tuple[ChosenBy, ...] = ()
    broken: tuple[Transition, ...] = ()
    adapted: tuple[Transition, ...] = ()
    unsteady: tuple[Transition, ...] = ()

    @property
    def failing(self) -> tuple[Transition, ...]:
        """All tests that a rule names."""
        return (*self.broken, *self.adapted, *self.unsteady)

    @property
    def complete(self) -> bool:
        """Whether every test file that the change can affect was run to its end."""
        return self.budget > 0 and self.files == self.affected and not self.cut


NOT_RUN = Regressions()
