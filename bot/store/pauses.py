"""Where the App was asked to be silent."""

from __future__ import annotations

import sqlalchemy as sa

from bot.store import tables
from bot.store.database import Database


class Pauses:
    """Issues and pull requests on which the App says nothing; number 0 is a whole repository."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pause(self, repository: str, number: int, by: str) -> None:
        """Be silent on an issue or pull request from now on."""
        with self._database.session() as session:
            session.merge(tables.Pause(repository=repository, number=number, by=by))

    def resume(self, repository: str, number: int) -> None:
        """Speak again."""
        table = tables.Pause
        with self._database.session() as session:
            session.execute(
                sa.delete(table).where(table.repository == repository, table.number == number)
            )

    def is_paused(self, repository: str, number: int) -> bool:
        """Whether the App is silent on it."""
        with self._database.session() as session:
            return session.get(tables.Pause, (repository, number)) is not None
