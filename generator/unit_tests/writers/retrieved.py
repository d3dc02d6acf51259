"""The human tests of similar methods of other classes, with their names put in its place.

What a method is similar to goes by the terms of its name, parameters and body (cosine of TF-IDF).
Tests of the same repository come first, as they compile more often. Tests of the method's own class
are never taken, nor any that reads as one of the method's own.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot, Tests4JDataset
from generator.costs import CostTracker
from generator.retrieval.terms import term_counts
from generator.unit_tests.code import simple_name
from generator.unit_tests.writer import UnitTests

_OF_THE_NAME = 3
"""How often the terms of a method's name count: they say what it is for."""
_WORD = re.compile(r"\b[A-Za-z_$][\w$]*\b")


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
        found: list[str] = []
        for other in self._similar(repository, method):
            found += [_adapted(test.source, other, method) for test in other.tests]
            if len(found) >= self._samples:
                break
        own = {_words(test.source) for test in method.tests}
        kept = [test for test in dict.fromkeys(found) if _words(test) not in own]
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


def _adapted(test: str, other: FocalMethod, own: FocalMethod) -> str:
    """A test with the names of another method's class, its variables and itself exchanged."""
    old, new = simple_name(other.focal_class), simple_name(own.focal_class)
    names = {old: new, _variable(old): _variable(new), other.name: own.name}
    return _WORD.sub(lambda word: names.get(word[0], word[0]), test)


def _variable(class_name: str) -> str:
    return class_name[:1].lower() + class_name[1:]


def _words(code: str) -> str:
    return " ".join(code.split())
