"""Plots of curves: where their points go; the template draws them as SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LEFT = 52
TOP = 12
WIDTH = 420
HEIGHT = 200
"""The plot: where it begins, and how large it is."""
COLOURS = ("#2458c5", "#b9520f", "#0f7340", "#8a3fb5", "#b42318", "#0b7285", "#80560a", "#57606c")
"""Of curves, in their order; the ninth begins again."""

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Tick:
    """A place on an axis, and what is written there."""

    place: float
    text: str


@dataclass(frozen=True)
class Curve:
    """One curve: its name and colour, and its points as SVG takes them."""

    name: str
    colour: str
    points: str
    last: tuple[float, float]


@dataclass(frozen=True)
class LinePlot:
    """Curves over one axis; `across` and `up` say what the axes are."""

    title: str
    caption: str
    across: str
    up: str
    curves: tuple[Curve, ...]
    ticks: tuple[Tick, ...]
    levels: tuple[Tick, ...]


def line_plot(
    title: str, caption: str, curves: Mapping[str, Points], *, across: str = "step", up: str = ""
) -> LinePlot:
    """The plot of curves by their names, less empty ones and points that are not finite."""
    kept = {name: _finite(points) for name, points in curves.items()}
    every = [point for points in kept.values() for point in points]
    horizontal, vertical = _range([x for x, _ in every]), _range([y for _, y in every])
    return LinePlot(
        title,
        caption,
        across,
        up,
        tuple(
            _curve(number, name, [_place(point, horizontal, vertical) for point in points])
            for number, (name, points) in enumerate(kept.items())
            if points
        ),
        tuple(Tick(LEFT + WIDTH * part, text) for part, text in _ticks(horizontal)),
        tuple(Tick(TOP + HEIGHT * (1 - part), text) for part, text in _ticks(vertical)),
    )


def _finite(points: Points) -> Points:
    return [(x, y) for x, y in points if math.isfinite(x) and math.isfinite(y)]


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _place(
    point: tuple[float, float], horizontal: tuple[float, float], vertical: tuple[float, float]
) -> tuple[float, float]:
    return (
        round(LEFT + WIDTH * _share(point[0], horizontal), 1),
        round(TOP + HEIGHT * (1 - _share(point[1], vertical)), 1),
    )


def _share(value: float, limits: tuple[float, float]) -> float:
    return (value - limits[0]) / (limits[1] - limits[0])


def _curve(number: int, name: str, places: Points) -> Curve:
    points = " ".join(f"{x},{y}" for x, y in places)
    return Curve(name, COLOURS[number % len(COLOURS)], points, places[-1])


def _ticks(limits: tuple[float, float]) -> Sequence[tuple[float, str]]:
    low, high = limits
    return [(part / 4, f"{low + (high - low) * part / 4:.3g}") for part in range(5)]
