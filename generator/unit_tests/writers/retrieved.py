"""The human tests of similar methods of other classes, with their names put in its place.

What a method is similar to goes by the terms of its name, parameters and body (cosine of TF-IDF).
Tests of the same repository come first, as they compile more often; of some more than are wanted,
those come first that use nothing which only their own test class has. Names that imports bring are
written out. Tests of the method's own class are never taken, nor any that reads as one of its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot, Tests4JDataset
from generator.costs import CostTracker
from generator.retrieval.terms import term_counts
from generator.unit_tests.writer import UnitTests
from generator.unit_tests.writers.adapting import adapted

_OF_THE_NAME = 3
"""How often the terms of a method's name count: they say what it is for."""
_MORE = 4
"""How many times as many tests are looked at as are wanted."""


@dataclass(frozen=True)
class _Indexed:
    repository: str
    method: FocalMethod
    terms: Mapping[str, float]


class RetrievedTests:
    """Up to `samples` tests of the most similar methods of a dataset."""

    name = "retrieval"

    def __init__(self, dataset: Tests4JDataset, samples: int = 32) -> None:
        self._samples = samples
        counted = [(each.name, m, _counts(m)) for each, m in dataset.methods()]
        self._spread = Counter(term for _, _, counts in counted for term in counts)
        self._size = len(counted)
        self._indexed = [_Indexed(r, m, self._weighted(counts)) for r, m, counts in counted]
        self.settings: object = [samples, sorted(m.id for _, m in dataset.methods())]

    def write(
        self, repository: RepositorySnapshot, method: FocalMethod, _costs: CostTracker
    ) -> UnitTests:
        """Adapted tests, those of the most similar method first."""
        found: list[tuple[int, str]] = []
        for other in self._similar(repository, method):
            found += [adapted(test.source, other, method) for test in other.tests]
            if len(found) >= _MORE * self._samples:
                break
        found.sort(key=lambda it: it[0])
        own = {_words(test.source) for test in method.tests}
        kept = [test for test in dict.fromkeys(t for _, t in found) if _words(test) not in own]
        if not kept:
            return UnitTests.nothing("no other class has a method that is similar")
        return UnitTests(tuple(kept[: self._samples]))

    def _similar(
        self, repository: RepositorySnapshot, method: FocalMethod
    ) -> Sequence[FocalMethod]:
        wanted = self._weighted(_counts(method))
        scored = [
            (each.repository == repository.name, _cosine(wanted, each.terms), each.method)
            for each in self._others(repository, method)
        ]
        scored.sort(key=lambda it: (not it[0], -it[1], it[2].id))
        return [method for _, score, method in scored if score > 0]

    def _others(self, repository: RepositorySnapshot, method: FocalMethod) -> Iterator[_Indexed]:
        for each in self._indexed:
            same = each.repository == repository.name
            if not same or each.method.focal_class != method.focal_class:
                yield each

    def _weighted(self, counts: Mapping[str, int]) -> Mapping[str, float]:
        weights = {
            term: (1 + math.log(count)) * math.log1p(self._size / self._spread[term])
            for term, count in counts.items()
        }
        length = math.sqrt(sum(weight**2 for weight in weights.values())) or 1.0
        return {term: weight / length for term, weight in weights.items()}


def _counts(method: FocalMethod) -> Mapping[str, int]:
    named = {term: _OF_THE_NAME * n for term, n in term_counts(method.name).items()}
    return Counter(named) + term_counts(" ".join((*method.parameters, method.source)))


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(weight * other.get(term, 0.0) for term, weight in one.items())


def _words(code: str) -> str:
    return " ".join(code.split())
