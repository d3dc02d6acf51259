"""A short soak; the long one is `make soak`."""

from __future__ import annotations

import pytest

from tests.soak.deployment import Size
from tests.soak.soak import Plan, Soak

SHORT = Plan(
    events=30,
    seed=7,
    size=Size(quick=1, long=2, beat=1, sweep=1.0, ask=5.0),
    event_seconds=0.3,
    chaos=0.3,
    quiet_seconds=240.0,
)


@pytest.mark.redis
@pytest.mark.bubblewrap
@pytest.mark.timeout(600)
def test_whatever_fails_everything_ends_once(tmp_path):
    outcome = Soak(SHORT, tmp_path).run()
    assert outcome.violations == []
    assert sum(outcome.counts["events"].values()) == SHORT.events
    assert sum(outcome.counts["went wrong"].values()) >= 3
    assert sum(outcome.counts["GitHub's faults"].values()) >= 30
