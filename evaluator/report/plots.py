"""Where the marks of the page's plots go; the template draws them as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluator.model import Evaluation, State
from evaluator.report.wording import percent
from evaluator.swtbench.metrics import Combination, Estimate, Overlap

ROW = 22
LABEL = 124
SPAN = 160
WIDTH = 380
"""A panel: height of a row, where the axis begins and how long it is, width of it all."""


@dataclass(frozen=True)
class Bar:
    """One bar of a panel, in the panel's units; `low` and `high` are the ends of its interval."""

    label: str
    title: str
    y: int
    end: float
    low: float
    high: float
    figure: str


@dataclass(frozen=True)
class Panel:
    """A plot of success rates, from 0 to 100 %."""

    name: str
    bars: tuple[Bar, ...]

    @property
    def height(self) -> int:
        """Height of the plot with its axis."""
        return ROW * len(self.bars) + 20


def panel(name: str, rows: Iterable[tuple[str, str, Estimate]]) -> Panel:
    """A panel of rows (label, longer name, success rate), less those without instances."""
    kept = [row for row in rows if row[2].denominator]
    return Panel(name, tuple(_bar(index, *row) for index, row in enumerate(kept)))


def _bar(index: int, label: str, title: str, estimate: Estimate) -> Bar:
    wins = round((estimate.value or 0.0) * estimate.denominator)
    figure = f"{percent(estimate.value)} % ({wins}/{estimate.denominator})"
    return bar(index, label, title, estimate, figure)


def bar(index: int, label: str, title: str, estimate: Estimate, figure: str) -> Bar:
    """The bar of a mean in the row `index` of a panel, with a figure of the caller's own words."""
    return Bar(
        label=label,
        title=title,
        y=ROW * index,
        end=_place(estimate.value or 0.0),
        low=_place(estimate.low or 0.0),
        high=_place(estimate.high or 0.0),
        figure=figure,
    )


def _place(share: float) -> float:
    return round(LABEL + SPAN * share, 1)


@dataclass(frozen=True)
class Strip:
    """How the instances of one prediction ended, as shares of a strip 100 wide."""

    name: str
    success: int
    failure: int
    not_run: int

    def share(self, count: int) -> float:
        """The width of `count` instances."""
        total = self.success + self.failure + self.not_run
        return round(100 * count / total, 2) if total else 0.0


def strip(name: str, evaluations: Sequence[Evaluation]) -> Strip:
    """Count how the instances ended."""
    graded = [e for e in evaluations if e.state is State.GRADED]
    success = sum(e.success for e in graded)
    return Strip(name, success, len(graded) - success, len(evaluations) - len(graded))


COLUMN = 26
NAMES = 150
TOTAL_BAR = 56
TOTALS = 90
BARS = 120
DOTS = 144
SHOWN_COMBINATIONS = 24
"""An UpSet plot: width of a column, of names, of the longest total and of all totals; height of the
tallest bar; where the dots begin; how many combinations it shows."""


@dataclass(frozen=True)
class UpsetRow:
    """One prediction: its name, its number of successes, and their bar."""

    name: str
    total: int
    y: int
    bar_start: float
    bar_width: float


@dataclass(frozen=True)
class Dot:
    """Whether a prediction belongs to a combination."""

    y: int
    on: bool


@dataclass(frozen=True)
class UpsetColumn:
    """Instances that exactly some predictions succeed on. `x` is the column's middle."""

    x: int
    height: float
    count: int
    dots: tuple[Dot, ...]
    names: str
    instances: str

    @property
    def link(self) -> tuple[int, int]:
        """The first and last y of the predictions that belong to the combination."""
        places = [dot.y for dot in self.dots if dot.on]
        return places[0], places[-1]


@dataclass(frozen=True)
class Upset:
    """An UpSet plot (Lex et al. 2014) of successes; `left_out` combinations are not shown."""

    rows: tuple[UpsetRow, ...]
    columns: tuple[UpsetColumn, ...]
    left_out: int

    @property
    def width(self) -> int:
        """Width of it all."""
        return NAMES + TOTALS + COLUMN * len(self.columns)

    @property
    def height(self) -> int:
        """Height of it all."""
        return DOTS + ROW * len(self.rows)


def upset(overlap: Overlap) -> Upset:
    """The plot's marks: the strongest prediction on top, the largest combination first.

    At least one prediction must have a success.
    """
    totals = {name: len(ids) for name, ids in overlap.successes.items()}
    names = sorted(totals, key=lambda name: (-totals[name], name))
    shown = overlap.combinations[:SHOWN_COMBINATIONS]
    return Upset(
        rows=tuple(_row(i, name, totals[name], totals[names[0]]) for i, name in enumerate(names)),
        columns=tuple(
            _column(i, part, names, len(shown[0].instances)) for i, part in enumerate(shown)
        ),
        left_out=len(overlap.combinations) - len(shown),
    )


def _row(index: int, name: str, total: int, most: int) -> UpsetRow:
    width = round(TOTAL_BAR * total / most, 1)
    return UpsetRow(name, total, DOTS + ROW * index, NAMES + TOTAL_BAR - width, width)


def _column(index: int, part: Combination, names: Sequence[str], most: int) -> UpsetColumn:
    middles = range(DOTS + ROW // 2, DOTS + ROW * len(names), ROW)
    dots = (Dot(y, name in part.predictions) for name, y in zip(names, middles, strict=True))
    return UpsetColumn(
        x=NAMES + TOTALS + COLUMN * index + COLUMN // 2,
        height=round(BARS * len(part.instances) / most, 1),
        count=len(part.instances),
        dots=tuple(dots),
        names=" and ".join(part.predictions),
        instances=", ".join(part.instances[:12]),
    )
