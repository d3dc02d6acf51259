"""The database itself: its tables changed there and back, it away, and it locked."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from bot.github.types import Webhook
from bot.store import Store, database
from bot.store.tables import Base
from tests.waiting import wait_for


def _migrate(store, direction, revision):
    config = Config()
    config.set_main_option("script_location", str(database.MIGRATIONS))
    with store.database.engine.begin() as connection:
        config.attributes["connection"] = connection
        getattr(command, direction)(config, revision)


def _tables(store):
    return set(sa.inspect(store.database.engine).get_table_names())


def test_migrations_lead_back_and_here_again(store):
    there = _tables(store)
    _migrate(store, "downgrade", "base")
    assert _tables(store) == {"alembic_version"}
    _migrate(store, "upgrade", "head")
    assert _tables(store) == there
    with store.database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []
    assert store.deliveries.record(Webhook("d", "issues", "opened", "{}"))


def test_the_latest_migration_keeps_what_is_there(store):
    store.deliveries.record(Webhook("d", "issues", "opened", "{}"))
    _migrate(store, "downgrade", "-1")
    _migrate(store, "upgrade", "head")
    assert store.deliveries.get("d").payload == "{}"


class Busy(threading.Thread):
    """Records one delivery after the other, each until it is there."""

    def __init__(self, store, name, until):
        super().__init__()
        self._store, self._until = store, until
        self.name, self.recorded, self.failures = name, [], 0

    def run(self):
        while not self._until.is_set():
            guid = f"{self.name}-{len(self.recorded)}"
            with contextlib.suppress(SQLAlchemyError):
                self._store.deliveries.record(Webhook(guid, "issues", "opened", "{}"))
                self.recorded.append(guid)
                continue
            self.failures += 1
            time.sleep(0.02)


@pytest.mark.postgres
def test_a_postgresql_that_restarts_is_noticed_by_who_is_in_the_middle_only(postgres_server):
    store = Store(postgres_server.new_database())
    store.database.migrate()
    until = threading.Event()
    busy = [Busy(store, f"thread{number}", until) for number in range(4)]
    for one in busy:
        one.start()
    wait_for(lambda: all(one.recorded for one in busy))
    postgres_server.stop()
    assert not store.database.answers()
    postgres_server.start()
    before = [len(one.recorded) for one in busy]
    wait_for(lambda: all(len(one.recorded) > n for one, n in zip(busy, before, strict=True)))
    until.set()
    for one in busy:
        one.join()
    assert sum(one.failures for one in busy) > 0
    kept = {waiting.id for waiting in store.deliveries.waiting()}
    assert {guid for one in busy for guid in one.recorded} <= kept
    store.database.engine.dispose()


@pytest.mark.postgres
def test_connections_of_before_a_restart_are_not_used(postgres_server):
    store = Store(postgres_server.new_database())
    store.database.migrate()
    postgres_server.stop()
    postgres_server.start()
    assert store.deliveries.record(Webhook("d", "issues", "opened", "{}"))
    store.database.engine.dispose()


@pytest.mark.postgres
def test_a_start_waits_for_a_postgresql_that_comes(postgres_server):
    url = postgres_server.new_database()
    postgres_server.stop()
    starting = threading.Timer(1.0, postgres_server.start)
    starting.start()
    store = Store(url)
    store.database.migrate()
    starting.join()
    assert store.database.answers()
    store.database.engine.dispose()


@pytest.fixture
def impatient(tmp_path, monkeypatch):
    """On SQLite, with little patience; and a connection of somebody else's."""
    monkeypatch.setattr(database, "SECONDS_TO_WAIT", 0.3)
    made = Store(f"sqlite:///{tmp_path / 'store.db'}")
    made.database.migrate()
    other = sqlite3.connect(tmp_path / "store.db", isolation_level=None, check_same_thread=False)
    yield made, other
    other.close()
    made.database.engine.dispose()


def test_who_finds_sqlite_locked_waits_then_says_so_and_goes_on_later(impatient):
    store, other = impatient
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(OperationalError, match="locked"):
        store.deliveries.record(Webhook("d", "issues", "opened", "{}"))
    assert store.database.answers()
    other.execute("ROLLBACK")
    assert store.deliveries.record(Webhook("d", "issues", "opened", "{}"))


def test_a_start_waits_for_a_sqlite_that_is_locked(impatient, monkeypatch):
    store, other = impatient
    monkeypatch.setattr(database, "SECONDS_TO_WAIT", 30)
    other.execute("BEGIN IMMEDIATE")
    letting_go = threading.Timer(0.5, other.execute, ("ROLLBACK",))
    letting_go.start()
    again = Store(str(store.database.engine.url))
    again.database.migrate()
    letting_go.join()
    again.database.engine.dispose()
