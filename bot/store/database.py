"""The database: its engine, its sessions, its migrations, its clock."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from bot.errors import ConfigurationError
from bot.store.tables import Base
from evaluator.storage import locked

MIGRATIONS = Path(__file__).parent / "migrations"
_MIGRATION_LOCKS = {
    "sqlite": "BEGIN IMMEDIATE",
    "postgresql": "SELECT pg_advisory_xact_lock(70198423)",
}
"""What makes one process migrate while others wait; the number is only ours."""
_LOCK_FILES = 256
_LOOK_SECONDS = 1.0
SECONDS_TO_WAIT = 30
"""How long a writer waits for another one on SQLite."""


def utc_now() -> datetime.datetime:
    """The moment, in UTC."""
    return datetime.datetime.now(datetime.UTC)


class Database:
    """One database by its URL. Safe to share between threads; processes make their own.

    Raises ConfigurationError for an URL that is none, or for which the driver is missing.
    """

    def __init__(self, url: str, clock: Callable[[], datetime.datetime] = utc_now) -> None:
        self.now = clock
        try:
            self.engine = sa.create_engine(url, **_options(url))
        except (sa.exc.ArgumentError, ImportError) as error:
            raise ConfigurationError(f"the database cannot be used: {error}") from error
        if self.engine.dialect.name not in _MIGRATION_LOCKS:
            raise ConfigurationError(
                f"the database cannot be used: {self.engine.dialect.name} is neither of "
                f"{', '.join(_MIGRATION_LOCKS)}"
            )
        # SQLite lets one write and the others ask again and again, some of them for seconds; the
        # threads of one process better wait in line.
        self.in_line: contextlib.AbstractContextManager[object] = contextlib.nullcontext()
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        if self.is_sqlite:
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
            self.in_line = threading.Lock()

    def migrate(self) -> None:
        """Bring the tables to the newest form; safe to call again.

        A server that does not answer is waited for, for a minute. Raises
        sqlalchemy.exc.SQLAlchemyError.
        """
        # As long to import as all else about databases, and most processes never migrate.
        from alembic import command
        from alembic.config import Config

        self.wait()
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with self.engine.begin() as connection:
            connection.exec_driver_sql(_MIGRATION_LOCKS[self.engine.dialect.name])
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def wait(self, seconds: float = 60.0) -> None:
        """Until a server answers, or that time is over: it may just be restarted."""
        deadline = time.monotonic() + seconds
        while not self.is_sqlite and not self.answers() and time.monotonic() < deadline:
            time.sleep(_LOOK_SECONDS)

    def answers(self) -> bool:
        """Whether the database answers."""
        try:
            with self.engine.connect() as connection:
                connection.execute(sa.text("SELECT 1"))
        except sa.exc.SQLAlchemyError:
            return False
        return True

    @contextmanager
    def exclusive_lock(self, what: str, about: str) -> Iterator[None]:
        """Wait until nobody else does this with that, in whatever process, and keep others out.

        The kernel, or PostgreSQL, gives the lock back when the process dies. Not to be nested for
        the same `what`. Raises sqlalchemy.exc.SQLAlchemyError.
        """
        number = int.from_bytes(
            hashlib.sha256(f"{what} {about}".encode()).digest()[:8], signed=True
        )
        path = self.engine.url.database
        if self.engine.dialect.name == "postgresql":
            with self._advisory(number):
                yield
        elif path is None:
            yield
        else:
            place = Path(path).with_name("locks")
            place.mkdir(mode=0o700, exist_ok=True)
            # Some share a file, and wait for each other without need; but the files stay few.
            with locked(place / f"{what}-{number % _LOCK_FILES}"):
                yield

    @contextmanager
    def _advisory(self, number: int) -> Iterator[None]:
        # Of a connection of its own, with which the lock ends, whatever happens meanwhile.
        with self.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.detach()
            connection.execute(sa.select(sa.func.pg_advisory_lock(number)))
            yield

    def insert(self, table: type[Base]) -> sqlite.Insert | postgresql.Insert:
        """An INSERT that may say what to do about rows that are there already."""
        insert = sqlite.insert if self.is_sqlite else postgresql.insert
        return insert(Base.metadata.tables[table.__tablename__])

    @contextmanager
    def driver(self) -> Iterator[Any]:
        """A connection of the driver, committed at the end: it takes less time than SQLAlchemy's.

        Raises sqlalchemy.exc.SQLAlchemyError.
        """
        dialect, failure = self.engine.dialect, self.engine.dialect.loaded_dbapi.Error
        try:
            with contextlib.closing(self.engine.raw_connection()) as connection:
                yield connection
                connection.commit()
        except failure as error:
            told = sa.exc.DBAPIError.instance(None, None, error, failure, dialect=dialect)
            raise told from error

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session that is committed at its end; what it read can be used afterwards."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session


def among(
    column: sa.orm.InstrumentedAttribute[str], names: frozenset[str] | None
) -> sa.ColumnElement[bool]:
    """Whether a column has one of some values; anything does for None."""
    return sa.true() if names is None else column.in_(sorted(names))


def _options(url: str) -> dict[str, Any]:
    if url.startswith("sqlite"):
        return {"connect_args": {"timeout": SECONDS_TO_WAIT}}
    return {"pool_pre_ping": True}  # a server may have been restarted since


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Readers beside a writer, every commit on disk, foreign keys kept."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
