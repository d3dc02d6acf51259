from __future__ import annotations

import datetime

import pytest

from bot.store import Store


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self):
        self.moment = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)

    def __call__(self):
        return self.moment

    def move(self, **amounts):
        self.moment += datetime.timedelta(**amounts)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request, tmp_path):
    """An empty database, of both kinds."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    return request.getfixturevalue("postgres_server").new_database()


@pytest.fixture
def store(url, clock):
    made = Store(url, clock)
    made.database.migrate()
    yield made
    made.database.engine.dispose()
