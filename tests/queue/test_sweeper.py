"""The sweeper's slow work: what never arrived is asked for, what is old is forgotten."""

from __future__ import annotations

import contextlib
import datetime
import itertools
import sqlite3

import pytest

from bot.commands.sweep import _look
from bot.errors import GitHubError
from bot.github.app import FailedDelivery
from bot.github.types import Webhook
from bot.queue.sweeper import Sweeper
from evaluator.distributed.worker import HeartbeatSettings

pytestmark = pytest.mark.redis


class App:
    """A minter to whom some deliveries are known as failed; asking again may fail, too."""

    def __init__(self, *guids):
        self.guids, self.asked, self.fails = guids, [], False

    def failed_deliveries(self, since):
        at = datetime.datetime.now(datetime.UTC)
        return tuple(
            FailedDelivery(id=n, guid=guid, event="issues", delivered_at=at)
            for n, guid in enumerate(self.guids)
        )

    def redeliver(self, delivery):
        self.asked.append(delivery)
        if self.fails:
            raise GitHubError("not now")


class Clock:
    def __init__(self, store):
        self.now = store.database.now()
        store.database.now = lambda: self.now

    def move(self, **amounts):
        self.now += datetime.timedelta(**amounts)


def test_an_outage_of_hours_loses_nothing_and_asks_more_and_more_rarely(bench):
    clock, app = Clock(bench.store), App("d-1")
    sweeper = Sweeper(bench.store, bench.queue, app)
    asked_at = []
    for minute in range(0, 4 * 24 * 60, 10):
        if sweeper.ask_for_failed_deliveries():
            asked_at.append(minute)
        app.guids = ()  # GitHub lists it no more once the look back is shorter
        clock.move(minutes=10)
    waits = [later - sooner for sooner, later in itertools.pairwise(asked_at)]
    assert waits == [10, 10, 10, 20, 40, 80, 160, 320, 640, 1280]
    assert asked_at[-1] < 3 * 24 * 60


def test_who_asks_more_often_waits_less_long_after_an_outage(bench):
    """Three times within an outage of seconds are soon used up."""
    clock, app = Clock(bench.store), App("d-1")
    sweeper = Sweeper(bench.store, bench.queue, app, first_pause=datetime.timedelta(seconds=5))
    asked_at = []
    for second in range(0, 300, 5):
        if sweeper.ask_for_failed_deliveries():
            asked_at.append(second)
        clock.move(seconds=5)
    assert asked_at == [0, 5, 10, 15, 25, 45, 85, 165]


def test_what_arrived_is_not_asked_for_any_more(bench):
    clock, app = Clock(bench.store), App("d-1", "d-2")
    sweeper = Sweeper(bench.store, bench.queue, app)
    app.fails = True
    assert sweeper.ask_for_failed_deliveries() == 0
    app.fails = False
    bench.store.deliveries.record(Webhook("d-1", "issues", "opened", "{}"))
    clock.move(minutes=10)
    assert sweeper.ask_for_failed_deliveries() == 1
    assert app.asked == [0, 1, 1]


def test_what_is_old_is_forgotten_once_an_hour(bench):
    clock = Clock(bench.store)
    sweeper = Sweeper(bench.store, bench.queue, keep=datetime.timedelta(days=4))
    sweeper.sweep()
    for name in ("d-1", "d-2"):
        bench.store.deliveries.record(Webhook(name, "issues", "opened", "{}"))
    bench.store.deliveries.handled("d-1")
    clock.move(days=5)
    sweeper.sweep()
    assert bench.store.deliveries.get("d-1") is None
    assert bench.store.deliveries.get("d-2") is not None, "it was never handled"
    bench.store.deliveries.handled("d-2")
    clock.move(minutes=59)
    sweeper.sweep()
    assert bench.store.deliveries.get("d-2") is not None
    clock.move(minutes=1)
    sweeper.sweep()
    assert bench.store.deliveries.get("d-2") is None


def test_a_store_that_is_away_does_not_end_the_sweeper(bench):
    path = bench.folder / "fixgate.db"
    with contextlib.closing(sqlite3.connect(path)) as direct:
        direct.execute("ALTER TABLE jobs RENAME TO gone")
        assert _look(bench.sweeper, 15.0, HeartbeatSettings()) == 15.0
        direct.execute("ALTER TABLE gone RENAME TO jobs")
    bench.sweeper.sweep()
