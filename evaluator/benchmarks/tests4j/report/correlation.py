"""RQ5: whether loss, BLEU or crystalBLEU say anything about coverage."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.metrics import UnitTestFigures
from evaluator.benchmarks.tests4j.report.runs import EvaluatedRun
from evaluator.experiments.comparisons import Cell, Table

_Z = 1.959964
"""Standard normal quantile of a two-sided interval of 95 %."""
_RANKS = 1.06
"""Variance of the transformed rank correlation, times n - 3 (Fieller et al., Biometrika 1957)."""


@dataclass(frozen=True)
class Correlation:
    """A coefficient from -1 to 1 over `pairs` pairs, with its 95 % interval.

    What cannot be computed is None: the coefficient where a side is constant or there are fewer
    than two pairs, the interval below four pairs and where the correlation is perfect.
    """

    pairs: int
    value: float | None
    low: float | None = None
    high: float | None = None


def pearson(one: Sequence[float], other: Sequence[float]) -> Correlation:
    """The linear correlation, with Fisher's interval (1921).

    Raises ValueError where the sides are not equally long.
    """
    return _correlation(one, other, 1.0)


def spearman(one: Sequence[float], other: Sequence[float]) -> Correlation:
    """The rank correlation; equal values share their mean rank. Raises as `pearson`."""
    return _correlation(ranks(one), ranks(other), _RANKS)


def ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, from 1 on; equal ones share the mean of theirs."""
    below = [sum(other < value for other in values) for value in values]
    equal = [sum(other == value for other in values) for value in values]
    return [less + (same + 1) / 2 for less, same in zip(below, equal, strict=True)]


def _correlation(one: Sequence[float], other: Sequence[float], spread: float) -> Correlation:
    if len(one) != len(other):
        raise ValueError(f"{len(one)} values cannot be paired with {len(other)}")
    size = len(one)
    if size < 2 or len(set(one)) == 1 or len(set(other)) == 1:
        return Correlation(size, None)
    value = max(-1.0, min(1.0, _coefficient(one, other)))
    if size < 4 or abs(value) == 1:
        return Correlation(size, value)
    middle, reach = math.atanh(value), _Z * math.sqrt(spread / (size - 3))
    return Correlation(size, value, math.tanh(middle - reach), math.tanh(middle + reach))


def _coefficient(one: Sequence[float], other: Sequence[float]) -> float:
    """0 where the values differ by less than can be computed with."""
    try:
        return statistics.correlation(one, other)
    except statistics.StatisticsError:
        return 0.0


Point = Mapping[str, float | None]
"""The figures of a run, or of a repository in a run."""

SIDES: Mapping[str, Callable[[UnitTestFigures], float | None]] = {
    "BLEU": lambda figures: figures.bleu,
    "crystalBLEU": lambda figures: figures.crystal_bleu,
}
COVERAGES: Mapping[str, Callable[[UnitTestFigures], float | None]] = {
    "MiLC": lambda figures: figures.milc,
    "MaLC": lambda figures: figures.malc,
    "correct": lambda figures: figures.correct,
}


def points_of_runs(runs: Sequence[EvaluatedRun]) -> list[Point]:
    """One point a run, its loss included. Human tests are similar to themselves: left out."""
    return [{"loss": run.loss, **_point(run.document.total)} for run in runs if not run.is_truth]


def points_of_repositories(runs: Sequence[EvaluatedRun]) -> list[Point]:
    """One point for each repository of each run."""
    made = [run for run in runs if not run.is_truth]
    return [_point(each) for run in made for each in run.document.repositories.values()]


def _point(figures: UnitTestFigures) -> Point:
    return {name: of(figures) for name, of in (*SIDES.items(), *COVERAGES.items())}


def correlations(points: Sequence[Point], over: str) -> Table:
    """Each measure of similarity, and the loss, against each measure of what tests do."""
    rows = [
        (side, coverage, *_row(points, side, coverage))
        for side in ("loss", *SIDES)
        for coverage in COVERAGES
    ]
    headings = ("measure", "against", "points", "Pearson", "95 %", "Spearman", "95 %, ranks")
    note = (
        f"Over {over}, human tests and points that lack one of both left out. Intervals by "
        "Fisher's transformation, from four points on. They take the points to be independent."
    )
    return Table(f"Correlations over {over} (RQ5)", headings, tuple(rows), note)


def _row(points: Sequence[Point], side: str, coverage: str) -> tuple[Cell, ...]:
    pairs = [
        (one, other)
        for point in points
        if (one := point.get(side)) is not None and (other := point.get(coverage)) is not None
    ]
    ones, others = [one for one, _ in pairs], [other for _, other in pairs]
    linear, ranked = pearson(ones, others), spearman(ones, others)
    return (len(pairs), *_cells(linear), *_cells(ranked))


def _cells(found: Correlation) -> tuple[Cell, Cell]:
    value = None if found.value is None else f"{found.value:.2f}"
    if found.low is None or found.high is None:
        return value, None
    return value, f"{found.low:.2f} to {found.high:.2f}"


def spread(runs: Sequence[EvaluatedRun]) -> Table:
    """How much repositories differ within a run: the standard deviation of each figure."""
    names = (*SIDES, *COVERAGES)
    rows = tuple(
        (run.name, len(run.document.repositories), *(_deviation(run, name) for name in names))
        for run in runs
    )
    note = "Standard deviations over repositories, in percentage points."
    return Table("Differences between repositories (RQ5)", ("run", "n", *names), rows, note)


def _deviation(run: EvaluatedRun, name: str) -> float | None:
    found = [_point(each)[name] for each in run.document.repositories.values()]
    known = [value for value in found if value is not None]
    return statistics.stdev(known) if len(known) > 1 else None
