from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.filtering.summary import Share


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    # Reference values: statsmodels.stats.proportion.proportion_confint(method="wilson").
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (9, 10, 0.5958, 0.9821),
        (30, 33, 0.7643, 0.9686),
    ],
)
def test_wilson(count: int, of: int, low: float, high: float) -> None:
    assert Share(count, of).interval == pytest.approx((low, high), abs=1e-4)


def test_a_share_of_nothing() -> None:
    share = Share(0, 0)
    assert share.value is None
    assert share.interval is None


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share(counted: tuple[int, int]) -> None:
    share = Share(*counted)
    assert share.value is not None
    assert share.interval is not None
    assert 0 <= share.interval[0] <= share.value <= share.interval[1] <= 1
