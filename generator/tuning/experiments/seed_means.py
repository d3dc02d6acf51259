"""Means over seeds with intervals by Student's t."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95
_HALVINGS = 60
"""As often as an interval of floats can be halved before its ends are neighbours."""


@dataclass(frozen=True)
class SeedMean:
    """The mean of a figure over `n` seeds, in the figure's unit.

    The interval goes from `mean - margin` to `mean + margin`; None where one seed has no interval.
    """

    n: int
    mean: float
    margin: float | None

    def __str__(self) -> str:
        shown = f"{self.mean:.4f}"
        return shown if self.margin is None else f"{shown} ± {self.margin:.4f}"


def mean_over_seeds(values: Sequence[float]) -> SeedMean:
    """The mean with its 95 % interval. Raises ValueError for no values."""
    if not values:
        raise ValueError("a mean needs one value at least")
    count, mean = len(values), statistics.fmean(values)
    if count == 1:
        return SeedMean(count, mean, None)
    error = statistics.stdev(values) / math.sqrt(count)
    return SeedMean(count, mean, student_quantile(count - 1) * error)


def student_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The t between whose negative and itself Student's t lies with a probability.

    `freedom` is the number of degrees of freedom, from 1; `confidence` lies between 0 and 1.
    """
    low, high = 0.0, math.pi / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _probability_within(middle, freedom) < confidence:
            low = middle
        else:
            high = middle
    return math.sqrt(freedom) * math.tan(low)


def _probability_within(angle: float, freedom: int) -> float:
    """The probability that |t| is at most sqrt(freedom) tan(angle).

    Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    odd = freedom % 2
    cosine = math.cos(angle)
    factors = ((k - 1) / k * cosine**2 for k in range(2 + odd, freedom - 1, 2))
    first = cosine if odd else 1.0
    terms = itertools.accumulate(factors, lambda term, factor: term * factor, initial=first)
    series = math.sin(angle) * (sum(terms) if freedom > 1 else 0.0)
    return 2 / math.pi * (angle + series) if odd else series
