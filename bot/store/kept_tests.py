"""Tests of issues, kept as they were written: a later look at a fix must not change them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import sqlalchemy as sa

from bot.store import tables
from bot.store.database import Database


@dataclass(frozen=True)
class KeptTests:
    """Tests of an issue as they are kept."""

    issue: int
    commit: str
    patch: str
    reason: str
    confidence: float
    method: str
    environment: str = ""
    sandbox: str = ""


class TestsOfIssues:
    """The tests that were written for issues."""

    __test__ = False

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, repository: str, tests: KeptTests) -> None:
        """Keep the tests of an issue; later ones come beside earlier ones, never over them."""
        row = tables.Tests(
            repository=repository, created_at=self._database.now(), **dataclasses.asdict(tests)
        )
        with self._database.session() as session:
            session.add(row)

    def newest(self, repository: str, issue: int) -> KeptTests | None:
        """The newest tests of an issue; None where there are none."""
        table = tables.Tests
        query = (
            sa.select(table)
            .where(table.repository == repository, table.issue == issue)
            .order_by(table.id.desc())
            .limit(1)
        )
        with self._database.session() as session:
            row = session.scalar(query)
        if row is None:
            return None
        return KeptTests(**{name: getattr(row, name) for name in _FIELDS})


_FIELDS = tuple(field.name for field in dataclasses.fields(KeptTests))
