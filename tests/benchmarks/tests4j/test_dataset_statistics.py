"""Tables 3.3 and 3.4, and what the methods are like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.dataset import Tests4JDataset
from evaluator.benchmarks.tests4j.dataset_statistics import (
    complexity,
    describe,
    distribution,
    is_plain_getter,
    is_plain_setter,
    write_statistics,
)
from evaluator.languages.java.syntax import found, parsed
from evaluator.report.figures import histogram
from tests.benchmarks.tests4j.strategies import datasets
from tests.benchmarks.tests4j.test_splitting import dataset

METHODS = [
    ("int getA() { return a; }", "getter", 1),
    ("int a() { // why\n return this.a; }", "getter", 1),
    ("int getA() { return b.a; }", "", 1),
    ("int getA(int x) { return x; }", "", 1),
    ("void setA(int a) { this.a = a; }", "setter", 1),
    ("void setA(int a) { b = a + 1; }", "", 1),
    ("int f(int x) { if (x > 0 && x < 9 || y) { return 1; } else return x == 0 ? 1 : 2; }", "", 5),
    ("void f() { for (;;) { while (a) { do { } while (b); } } for (int x : y) { } }", "", 5),
    ("void f() { try { g(); } catch (A | B e) { } finally { } }", "", 2),
    ("int f(int x) { switch (x) { case 1: case 2: return 1; default: return 0; } }", "", 3),
    ("int f(int x) { return switch (x) { case 1, 2 -> 1; default -> 0; }; }", "", 2),
    ("abstract int f();", "", 1),
]


@pytest.mark.parametrize(("source", "kind", "expected"), METHODS)
def test_methods(source: str, kind: str, expected: int) -> None:
    root = parsed(f"class A {{ {source} }}".encode())
    assert root is not None
    method = next(found(root, "method_declaration"))
    assert is_plain_getter(method) == (kind == "getter")
    assert is_plain_setter(method) == (kind == "setter")
    assert complexity(method) == expected


def test_the_figures_of_a_dataset(tmp_path: Path) -> None:
    figures = describe(dataset([1, 2, 3, 6]))
    assert figures.splits["none"].model_dump() == {
        "repositories": 4,
        "methods": 4,
        "tests": 12,
        "share": 1.0,
    }
    tests = figures.distributions["tests per repository"]
    assert (tests.mean, tests.smallest, tests.largest, tests.total) == (3.0, 1, 6, 12)
    assert tests.quartiles == (1.75, 2.5, 3.75)
    assert "tokens per test" not in figures.distributions
    assert figures.frameworks == {"jupiter": 4}
    write_statistics(figures, tmp_path / "a.json", tmp_path / "a.html")
    assert json.loads((tmp_path / "a.json").read_bytes())["repositories"]["a/r3"]["tests"] == 6
    assert "a/r3" in (tmp_path / "a.html").read_text()


@given(made=datasets)
def test_any_dataset_has_figures(tmp_path_factory: pytest.TempPathFactory, made: Tests4JDataset):
    figures = describe(made)
    assert sum(each.tests for each in figures.splits.values()) == sum(
        each.test_count for each in made.repositories
    )
    folder = tmp_path_factory.mktemp("figures")
    write_statistics(figures, folder / "a.json", folder / "a.html")


@given(values=st.lists(st.integers(0, 10_000), min_size=1))
def test_quartiles_are_between_the_ends(values: list[float]) -> None:
    made = distribution(values)
    steps = [made.smallest, *made.quartiles, made.largest]
    assert steps == sorted(steps)


@given(
    values=st.lists(st.floats(0, 1e6)),
    most=st.none() | st.floats(1, 1e6),
    threshold=st.floats(0, 1e6),
)
def test_a_histogram_counts_every_value_once(
    values: list[float], most: float | None, threshold: float
) -> None:
    made = histogram("a", "b", values, most=most, thresholds=[(threshold, "limit")])
    beyond = int(made.outliers.split()[0]) if made.outliers else 0
    assert sum(bar.count for bar in made.bars) + beyond == len(values) == made.total
