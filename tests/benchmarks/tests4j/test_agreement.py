"""How often two mappings of the same tests agree."""

from __future__ import annotations

from typing import Any

from evaluator.benchmarks.tests4j.dataset import FocalMethod, HumanTest, Tests4JDataset
from evaluator.benchmarks.tests4j.report.agreement import agreements
from tests.unit_tests.examples import dataset, method, repository


def about(name: str, *tests: str, parameters: tuple[str, ...] = ("Money",)) -> FocalMethod:
    written = tuple(HumanTest(name=test, source=f"void {test}() {{}}") for test in tests)
    return method(name, parameters=parameters, tests=written)


def only_row(one: Tests4JDataset, other: Tests4JDataset) -> list[Any]:
    (table,) = agreements([one, other])
    (row,) = table.rows
    return list(row[1:])


def test_tests_are_counted_by_what_they_are_mapped_to() -> None:
    one = dataset(
        repository(about("plus", "a", "b", "c"), about("minus", "d"), about("times", "e"))
    )
    other = dataset(
        repository(
            about("plus", "a"),
            about("plus", "b", parameters=("long",)),
            about("minus", "c"),
            about("times", "e", "f"),
        )
    )
    assert only_row(one, other) == [1, 1, 4, 2, 1, 1, 0.5]
    assert only_row(other, one) == [1, 1, 4, 2, 1, 1, 0.5]
    assert only_row(one, one) == [0, 0, 5, 5, 0, 0, 1]


def test_repositories_without_a_common_commit_are_not_compared() -> None:
    one, other = repository(about("plus", "a")), repository(about("plus", "a"), commit="1" * 40)
    assert agreements([dataset(one), dataset(other)]) == ()
    assert agreements([dataset(one)]) == ()


def test_what_nothing_maps_has_no_agreement() -> None:
    assert only_row(dataset(repository(about("plus", "a"))), dataset(repository()))[-1] is None
