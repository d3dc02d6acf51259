"""Tables of datasets: the thesis's 3.3 (splits) and 3.4 (sizes), and what its methods are like."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.benchmarks.tests4j.dataset import Tests4JDataset
from evaluator.benchmarks.tests4j.dataset_statistics import (
    DatasetFigures,
    Distribution,
    SplitFigures,
    describe,
)
from evaluator.experiments.comparisons import Cell, Table


def tables(dataset: Tests4JDataset) -> tuple[Table, ...]:
    """All tables of a dataset."""
    found = describe(dataset)
    return (
        _counts(f"{found.name}: splits (table 3.3)", "split", found.splits),
        _counts(f"{found.name}: repositories", "repository", found.repositories),
        _sizes(found),
        _methods(found),
    )


def _counts(title: str, kind: str, figures: Mapping[str, SplitFigures]) -> Table:
    rows = tuple(
        (name, each.repositories, each.methods, each.tests, each.share)
        for name, each in figures.items()
    )
    headings = (kind, "repositories", "MUTs", "tests", "share of tests")
    return Table(title, headings, rows, "Shares in percent.")


def _sizes(found: DatasetFigures) -> Table:
    rows = tuple((name, *_spread(each)) for name, each in found.distributions.items())
    headings = ("what", "mean", "least", "25 %", "median", "75 %", "most", "total")
    return Table(f"{found.name}: sizes (table 3.4)", headings, rows)


def _spread(found: Distribution) -> tuple[Cell, ...]:
    steps = (found.smallest, *found.quartiles, found.largest, found.total)
    return (f"{found.mean:.2f}", *(f"{each:g}" for each in steps))


def _methods(found: DatasetFigures) -> Table:
    rows: list[tuple[Cell, ...]] = [
        ("getters, %", found.methods.getters),
        ("setters, %", found.methods.setters),
        ("cyclomatic complexity, mean", f"{found.methods.complexity:.2f}"),
        *((f"repositories of Java {level}", count) for level, count in found.java_levels.items()),
        *((f"repositories with {name}", count) for name, count in found.frameworks.items()),
    ]
    note = f"Getters and setters by their names; tests are mapped to methods by {found.mapping}."
    return Table(f"{found.name}: methods", ("figure", "value"), tuple(rows), note)
