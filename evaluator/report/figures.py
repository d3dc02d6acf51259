"""Pages of tables, histograms and curves: what they show, and where the histograms' marks go."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.report import lines as line_plots
from evaluator.report.html import render_template
from evaluator.report.lines import LinePlot
from evaluator.storage.files import write_whole

LEFT = 44
TOP = 12
WIDTH = 420
HEIGHT = 180
RIGHT = 44
"""A histogram's plot: where it begins, how large it is, and the space to the right of it."""
_BINS = 30
_TEXT = 18
"""Half as wide as the text of a tick."""


@dataclass(frozen=True)
class FigureTable:
    """A table: each row has a name and as many cells as there are columns."""

    title: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> frozenset[int]:
        """The numbers of the columns, from 0, in which there are words: these stand to the left."""
        cells = ((n, cell) for row in self.rows for n, cell in enumerate(row))
        return frozenset(n for n, cell in cells if any(map(str.isalpha, cell)))


@dataclass(frozen=True)
class HistogramBar:
    """How many values lie from `low` up to `high`; the rest are places in the plot."""

    low: float
    high: float
    count: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Mark:
    """A place on an axis, and what is written there."""

    place: float
    text: str


@dataclass(frozen=True)
class Histogram:
    """Values by number, with lines at thresholds and the share of values up to each place.

    `outliers` says what lies beyond the plot; "" where nothing does.
    """

    title: str
    caption: str
    total: int
    bars: tuple[HistogramBar, ...]
    ticks: tuple[Mark, ...]
    levels: tuple[Mark, ...]
    thresholds: tuple[Mark, ...]
    curve: str
    outliers: str


def histogram(
    title: str,
    caption: str,
    values: Sequence[float],
    *,
    most: float | None = None,
    thresholds: Sequence[tuple[float, str]] = (),
) -> Histogram:
    """The histogram of values from 0 to `most`, by default to the largest of them.

    Values beyond are left out of the plot, and described with their number and mean.
    """
    top = most if most is not None else max(values, default=0.0)
    end = _round_up(max(top, *(place for place, _ in thresholds), 1.0))
    shown = sorted(value for value in values if value <= end)
    counts = _counts(shown, end)
    tallest = max(*counts, 1)
    return Histogram(
        title,
        caption,
        len(values),
        tuple(_bar(index, count, tallest, end) for index, count in enumerate(counts)),
        _ticks(end, [_x(place, end) for place, _ in thresholds]),
        tuple(Mark(_y(part / 2), f"{tallest * part / 2:g}") for part in range(3)),
        tuple(Mark(_x(place, end), text) for place, text in thresholds),
        _curve(counts, len(values)),
        _outliers([value for value in values if value > end]),
    )


def _ticks(end: float, taken: Sequence[float]) -> tuple[Mark, ...]:
    """Five, but for those through whose text a threshold's line would go."""
    every = (Mark(_x(end * part / 4, end), f"{end * part / 4:g}") for part in range(5))
    return tuple(tick for tick in every if all(abs(tick.place - x) > _TEXT for x in taken))


def write_figures(
    path: Path,
    title: str,
    lead: str,
    tables: Sequence[FigureTable],
    histograms: Sequence[Histogram] = (),
    *,
    lines: Sequence[LinePlot] = (),
) -> None:
    """Write a page that needs nothing else; the directory is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    page = render_template(
        "figures.html.j2",
        title=title,
        lead=lead,
        tables=tables,
        histograms=histograms,
        lines=lines,
        line_plots=line_plots,
        place={"left": LEFT, "top": TOP, "width": WIDTH, "height": HEIGHT, "right": RIGHT},
    )
    write_whole(path, page)


def _round_up(value: float) -> float:
    """The next of 1, 2, 4, 5 and 8 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 5, 8, 10) if step * power >= value)


def _counts(values: Sequence[float], end: float) -> list[int]:
    counts = [0] * _BINS
    for value in values:
        counts[min(int(value / end * _BINS), _BINS - 1)] += 1
    return counts


def _bar(index: int, count: int, tallest: int, end: float) -> HistogramBar:
    width = WIDTH / _BINS
    height = HEIGHT * count / tallest
    return HistogramBar(
        low=end * index / _BINS,
        high=end * (index + 1) / _BINS,
        count=count,
        x=round(LEFT + index * width, 1),
        y=round(TOP + HEIGHT - height, 1),
        width=round(width - 1, 1),
        height=round(height, 1),
    )


def _curve(counts: Sequence[int], total: int) -> str:
    """The points of the cumulative share."""
    sums = itertools.accumulate(counts)
    places = (
        f"{LEFT + (index + 1) * WIDTH / _BINS:.1f},{_y(value / total):.1f}"
        for index, value in enumerate(sums)
    )
    return " ".join(places) if total else ""


def _x(value: float, end: float) -> float:
    return round(LEFT + WIDTH * value / end, 1)


def _y(share: float) -> float:
    return round(TOP + HEIGHT * (1 - share), 1)


def _outliers(values: Sequence[float]) -> str:
    if not values:
        return ""
    mean, most = statistics.fmean(values), max(values)
    return f"{len(values)} larger: mean {mean:,.0f}, largest {most:,.0f}"
