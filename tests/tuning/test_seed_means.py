"""Means over seeds and their intervals, and what an experiment writes of them."""

from __future__ import annotations

import json
import math
import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.tuning.experiments.outcomes import RunOutcome, summaries, write_outcomes
from generator.tuning.experiments.seed_means import mean_over_seeds, student_quantile

pytestmark = pytest.mark.tuning
LOSSES = st.lists(st.floats(0.01, 1000), min_size=2, max_size=8)
TRAINED = RunOutcome("FT-Hard-All", "FT-Hard-All+tiny", 0, 2.5, 2.0, 200.0, None, 9)
UNTRAINED = RunOutcome("ZS-Hard-All", "ZS-Hard-All+tiny", 0, None, 3.0, 300.0, None, 0)


# Tables of Student's t, two-sided.
@pytest.mark.parametrize(
    ("freedom", "confidence", "expected"),
    [
        (1, 0.95, 12.7062),
        (2, 0.95, 4.30265),
        (3, 0.95, 3.18245),
        (4, 0.95, 2.77645),
        (9, 0.95, 2.26216),
        (30, 0.95, 2.04227),
        (1, 0.5, 1.0),
        (5, 0.99, 4.03214),
    ],
)
def test_quantiles_are_those_of_tables(freedom: int, confidence: float, expected: float) -> None:
    assert student_quantile(freedom, confidence) == pytest.approx(expected, rel=2e-6)


@given(st.integers(1, 200))
def test_quantiles_fall_to_that_of_the_normal_distribution(freedom: int) -> None:
    normal = statistics.NormalDist().inv_cdf(0.975)
    assert student_quantile(freedom) > student_quantile(freedom + 1) > normal


@given(LOSSES, st.floats(0.1, 10), st.floats(-100, 100))
def test_intervals_follow_scale_and_shift(values: list[float], scale: float, shift: float) -> None:
    first = mean_over_seeds(values)
    moved = mean_over_seeds([scale * value + shift for value in values])
    assert first.margin is not None
    assert moved.margin == pytest.approx(scale * first.margin, rel=1e-6, abs=1e-9)
    assert moved.mean == pytest.approx(scale * first.mean + shift, rel=1e-9, abs=1e-9)


@given(LOSSES, st.randoms())
def test_intervals_do_not_depend_on_the_order_of_seeds(values: list[float], random) -> None:
    turned = random.sample(values, len(values))
    first, second = mean_over_seeds(values), mean_over_seeds(turned)
    assert (first.n, first.mean) == (second.n, second.mean)
    assert first.margin == pytest.approx(second.margin, rel=1e-12)
    assert min(values) - 1e-9 <= first.mean <= max(values) + 1e-9


@given(st.floats(0.01, 1000), st.floats(0.0, 100))
def test_two_seeds_have_the_interval_of_a_cauchy_distribution(low: float, width: float) -> None:
    expected = math.tan(math.pi * 0.475) * width / 2
    assert mean_over_seeds([low, low + width]).margin == pytest.approx(expected, abs=1e-9)


@given(st.floats(-1000, 1000))
def test_one_seed_has_no_interval(value: float) -> None:
    found = mean_over_seeds([value])
    assert (found.n, found.mean, found.margin) == (1, value, None)
    assert "±" not in str(found)


def test_no_seeds_have_no_mean() -> None:
    with pytest.raises(ValueError, match="one value at least"):
        mean_over_seeds([])


def test_a_seed_given_twice_counts_once() -> None:
    (found,) = summaries([TRAINED, replace(TRAINED, seed=1, test_loss=2.2), TRAINED])
    assert found.test_loss.n == 2
    assert found.test_loss.mean == pytest.approx(2.1)


def test_means_are_written_to_the_page_and_beside_it(tmp_path: Path) -> None:
    losses = {0: 2.0, 1: 2.1, 2: 2.2}
    trained = [replace(TRAINED, seed=seed, test_loss=loss) for seed, loss in losses.items()]
    untrained = [replace(UNTRAINED, seed=seed) for seed in losses]
    write_outcomes(tmp_path, "Runs", "tiny", [*untrained, *trained])
    first, second = json.loads((tmp_path / "means.json").read_text())
    assert first["validation_loss"] is None
    assert first["test_loss"] == {"n": 1, "mean": 3.0, "margin": None}
    # 4.303 x 0.1 / sqrt(3)
    assert second["test_loss"]["n"] == 3
    assert second["test_loss"]["margin"] == pytest.approx(0.24841, abs=1e-5)
    page = (tmp_path / "experiment.html").read_text()
    assert "2.1000 ± 0.2484" in page
    assert ">3.0000<" in page
    assert len(json.loads((tmp_path / "experiment.json").read_text())) == 6
