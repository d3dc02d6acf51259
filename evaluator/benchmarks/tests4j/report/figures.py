"""Where the marks of the figures go; the template draws them as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.metrics import UnitTestFigures
from evaluator.benchmarks.tests4j.report.correlation import COVERAGES, SIDES
from evaluator.benchmarks.tests4j.report.runs import EvaluatedRun
from evaluator.report.plots import Bar, Panel, bar
from evaluator.report.wording import percent
from evaluator.swtbench.metrics import Estimate, estimate


def chain(run: EvaluatedRun) -> Panel:
    """How many of a run's unique tests came how far."""
    total = run.document.total
    shares = [
        ("unique", 1.0 if total.unique else None),
        ("parsable", total.parsable),
        ("compilable", total.compilable),
        ("executable", total.executable),
        ("correct", total.correct),
    ]
    known = [(name, share) for name, share in shares if share is not None]
    return Panel(run.name, tuple(_stage(n, *each, total) for n, each in enumerate(known)))


def _stage(index: int, name: str, share: float, total: UnitTestFigures) -> Bar:
    count = round(share * total.unique)
    exact = Estimate(share, share, share, total.unique)
    return bar(index, name, name, exact, f"{percent(share)} % ({count})")


def coverage(run: EvaluatedRun) -> Panel:
    """MaLC by repository, with the interval of the mean over the MUTs."""
    shares: dict[str, list[float]] = {}
    for row in run.document.methods:
        if row.lines is not None and row.lines[1]:
            shares.setdefault(row.repository, []).append(row.lines[0] / row.lines[1])
    ordered = [(name, estimate(found)) for name, found in sorted(shares.items())]
    return Panel(run.name, tuple(_repository(n, *each) for n, each in enumerate(ordered)))


def _repository(index: int, name: str, found: Estimate) -> Bar:
    figure = f"{percent(found.value)} % of {found.denominator}"
    return bar(index, name.rpartition("/")[2], name, found, figure)


WIDTH = 300
HEIGHT = 220
LEFT = 40
BOTTOM = 30
"""A scatter plot: its size, and the room for its axes."""
COLOURS = ("#2458c5", "#b9520f", "#0f7340", "#8a3fb5", "#b42318", "#0b7285", "#80560a", "#57606c")
"""Of runs, in their order; the ninth begins again."""


@dataclass(frozen=True)
class ScatterMark:
    """A repository in a run; `title` says which."""

    x: float
    y: float
    colour: str
    title: str


@dataclass(frozen=True)
class Scatter:
    """A measure of similarity (across) against one of coverage (up), both from 0 to 1."""

    across: str
    up: str
    marks: tuple[ScatterMark, ...]


def scatters(runs: Sequence[EvaluatedRun]) -> tuple[Scatter, ...]:
    """Each similarity against line coverage, a mark for each repository of each run."""
    return tuple(Scatter(side, "MiLC", tuple(_marks(runs, side))) for side in SIDES)


def _marks(runs: Sequence[EvaluatedRun], side: str) -> Iterator[ScatterMark]:
    for number, run in enumerate(runs):
        for name, found in run.document.repositories.items():
            across, up = SIDES[side](found), COVERAGES["MiLC"](found)
            if across is not None and up is not None:
                title = f"{run.name}, {name}: {side} {across:.3f}, MiLC {percent(up)} %"
                yield ScatterMark(*_place(across, up), COLOURS[number % len(COLOURS)], title)


def _place(across: float, up: float) -> tuple[float, float]:
    return (
        round(LEFT + (WIDTH - LEFT - 10) * across, 1),
        round((HEIGHT - BOTTOM) * (1 - up) + 5 * up, 1),
    )
