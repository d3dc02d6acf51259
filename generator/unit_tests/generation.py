"""Writes tests for many methods: in parallel, within limits, resumable; one row a method.

A row is a prediction of Tests4J, `{"method", "model", "replies"}`, with how it ended, what it took,
and the key of what it was made of.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.batch import Item, run_batch
from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot
from evaluator.storage import ResultLines, Row, content_key
from generator.costs import Budget, CostTracker
from generator.errors import problem_of
from generator.unit_tests.writer import UnitTests, UnitTestWriter, WritingEnd

Assigned = tuple[RepositorySnapshot, FocalMethod]


@dataclass(frozen=True)
class UnitTestGeneration:
    """A writer, where its predictions go, and its limits: of each method, and of all together."""

    writer: UnitTestWriter
    path: Path
    budget: Budget = field(default_factory=Budget)
    total: Budget = field(default_factory=Budget)
    workers: int = 1

    def run(
        self, methods: Iterable[Assigned], progress: Callable[[Row, CostTracker], None]
    ) -> tuple[Row, ...]:
        """Write what is not written yet; the rows of all that is, in the order of the methods.

        Rows of the same inputs stay, but for those that are incomplete. Once a limit of the whole
        is used up, nothing more is begun, and what was not begun has no row. Raises InputError for
        a file that holds something else than predictions of this writer.
        """
        assigned = tuple(methods)
        rows = ResultLines(self.path, _is_final, name_field="method")
        total = CostTracker(self.total, what="all methods")
        run_batch(
            (self._items(group, total) for group in _by_class(assigned)),
            rows,
            workers=self.workers,
            progress=lambda row: progress(row, total),
            may_begin=lambda: total.allows_more,
        )
        found = (rows.get(method.id, self._key(each, method)) for each, method in assigned)
        return tuple(row for row in found if row is not None)

    def _items(self, group: Sequence[Assigned], total: CostTracker) -> Iterator[Item[Row]]:
        for repository, method in group:
            # The time of a method runs from here on, so this waits until a worker is free.
            costs = CostTracker(self.budget, parent=total, what="this method")
            yield self._item(repository, method, costs)

    def _item(
        self, repository: RepositorySnapshot, method: FocalMethod, costs: CostTracker
    ) -> Item[Row]:
        started = time.monotonic()
        return Item(
            method.id,
            self._key(repository, method),
            lambda: self._row(self.writer.write(repository, method, costs), costs, started),
            lambda error: self._row(_failed(error), costs, started),
        )

    def _key(self, repository: RepositorySnapshot, method: FocalMethod) -> str:
        shown = method.model_dump(mode="json")
        return content_key(repository.commit, shown, self.writer.name, self.writer.settings)

    def _row(self, written: UnitTests, costs: CostTracker, started: float) -> Row:
        return {
            "model": self.writer.name,
            "replies": list(written.replies),
            "end": written.end,
            "problem": written.problem,
            **({"losses": list(written.losses)} if written.losses else {}),
            **costs.spending.columns(),
            "seconds": round(time.monotonic() - started, 3),
        }


def _is_final(row: Row) -> bool:
    return row.get("end") != WritingEnd.INCOMPLETE


def _by_class(assigned: Iterable[Assigned]) -> Iterable[Sequence[Assigned]]:
    """One after the other, as tools work on whole classes and keep what they found."""
    groups = collections.defaultdict(list)
    for repository, method in assigned:
        groups[repository.name, method.focal_class].append((repository, method))
    return groups.values()


def _failed(error: Exception) -> UnitTests:
    """What comes of a method that could not be worked on. Raises what would end all alike."""
    return UnitTests((), WritingEnd.INCOMPLETE, problem_of(error))
