"""What every writer of unit tests follows: a method in, texts that should hold tests out."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Protocol

from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot
from generator.costs import CostTracker


class WritingEnd(enum.StrEnum):
    """How the work on one method ended.

    NOTHING: the writer has nothing to propose, and never will. INCOMPLETE: something stopped it
    that may be mended, such as a limit or a key; another run goes on.
    """

    COMPLETE = "complete"
    NOTHING = "nothing"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True)
class UnitTests:
    """What was written for one method: raw replies, and what went wrong with the rest.

    `losses` are those of the replies in nats a token, where the writer knows them.
    """

    replies: tuple[str, ...]
    end: WritingEnd = WritingEnd.COMPLETE
    problem: str = ""
    losses: tuple[float, ...] = ()

    @staticmethod
    def nothing(problem: str) -> UnitTests:
        """No test, and why there will be none."""
        return UnitTests((), WritingEnd.NOTHING, problem)


class UnitTestWriter(Protocol):
    """One way to write tests. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """What the predictions are called by, and tables show."""
        ...

    @property
    def settings(self) -> object:
        """Everything but the method that replies depend on, as JSON types."""
        ...

    def write(
        self, repository: RepositorySnapshot, method: FocalMethod, costs: CostTracker
    ) -> UnitTests:
        """Write tests for a method within its limits.

        Raises InputError for what concerns all methods, other FixgateErrors for this one alone.
        """
        ...
