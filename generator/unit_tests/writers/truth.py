"""The human tests themselves: what they score is what the benchmark loses by its own machinery."""

from __future__ import annotations

from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot
from generator.costs import CostTracker
from generator.unit_tests.writer import UnitTests


class Truth:
    """Re-inserts the human tests."""

    name = "truth"
    settings = None

    def write(
        self, _repository: RepositorySnapshot, method: FocalMethod, _costs: CostTracker
    ) -> UnitTests:
        """The method's own tests."""
        return UnitTests(tuple(test.source for test in method.tests))
