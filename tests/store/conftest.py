from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store import Store
from tests.postgres import PostgresServer


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.moment = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)

    def __call__(self) -> datetime.datetime:
        return self.moment

    def move(self, **amounts: float) -> None:
        self.moment += datetime.timedelta(**amounts)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, of both kinds."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    server: PostgresServer = request.getfixturevalue("postgres_server")
    return server.new_database()


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    made = Store(url, clock)
    made.database.migrate()
    yield made
    made.database.engine.dispose()
