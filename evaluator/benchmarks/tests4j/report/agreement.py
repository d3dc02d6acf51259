"""How often two ways to map tests to methods agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot, Tests4JDataset
from evaluator.experiments.comparisons import Cell, Table

_HEADINGS = (
    *("repository", "only the first", "only the second", "both"),
    *("the same method", "another overload", "another method", "agreement"),
)
_NOTE = (
    "Tests that are mapped by the first mapping only, by the second only, and by both; of these, "
    "to what. Agreement: the share of those that both map, in percent, with the same method."
)
Mapped = Mapping[tuple[str, str, str], FocalMethod]
"""Methods by test class, name and source of their tests."""


def agreements(data: Sequence[Tests4JDataset]) -> tuple[Table, ...]:
    """A table for each two datasets that map tests of the same commits."""
    tables = (_agreement(one, other) for one, other in combinations(data, 2))
    return tuple(table for table in tables if table.rows)


def _agreement(one: Tests4JDataset, other: Tests4JDataset) -> Table:
    rows = [
        (name, *_counts(_mapped([first]), _mapped([second])))
        for name, first, second in _pairs(one, other)
    ]
    if len(rows) > 1:
        pairs = list(_pairs(one, other))
        whole = _mapped([first for _, first, _ in pairs]), _mapped([last for *_, last in pairs])
        rows.append(("total", *_counts(*whole)))
    title = f"{one.name} ({one.mapping}) and {other.name} ({other.mapping}): agreement"
    return Table(title, _HEADINGS, tuple(rows), _NOTE)


def _pairs(
    one: Tests4JDataset, other: Tests4JDataset
) -> Iterator[tuple[str, RepositorySnapshot, RepositorySnapshot]]:
    known = {(each.name, each.commit): each for each in other.repositories}
    for first in one.repositories:
        second = known.get((first.name, first.commit))
        if second is not None:
            yield first.name, first, second


def _mapped(repositories: Sequence[RepositorySnapshot]) -> Mapped:
    return {
        (f"{repository.name}:{method.test_class}", test.name, test.source): method
        for repository in repositories
        for method in repository.methods
        for test in method.tests
    }


def _counts(one: Mapped, other: Mapped) -> tuple[Cell, ...]:
    both = one.keys() & other.keys()
    same = sum(one[test].id == other[test].id for test in both)
    namesakes = sum(_are_overloads(one[test], other[test]) for test in both)
    return (
        len(one.keys() - both),
        len(other.keys() - both),
        len(both),
        same,
        namesakes,
        len(both) - same - namesakes,
        same / len(both) if both else None,
    )


def _are_overloads(one: FocalMethod, other: FocalMethod) -> bool:
    where = (one.focal_path, one.focal_class, one.name)
    return one.id != other.id and where == (other.focal_path, other.focal_class, other.name)
