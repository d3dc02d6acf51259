"""Tests of issues, kept as they were written: a later look at a fix must not change them."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

import sqlalchemy as sa

from bot.store import tables
from bot.store.database import Database

CONFIDENT: Final = 0.5
"""Tests of less confidence are proposals, at which somebody should look."""


@dataclass(frozen=True)
class KeptTests:
    """Tests of an issue as they are kept; `id` is 0 until then."""

    issue: int
    commit: str
    patch: str
    reason: str
    confidence: float
    method: str
    environment: str = ""
    sandbox: str = ""
    id: int = field(default=0, compare=False)


class TestsOfIssues:
    """The tests that were written for issues."""

    __test__ = False

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, repository: str, tests: KeptTests) -> None:
        """Keep the tests of an issue; later ones come beside earlier ones, never over them."""
        fields = {name: getattr(tests, name) for name in _FIELDS if name != "id"}
        row = tables.Tests(repository=repository, created_at=self._database.now(), **fields)
        with self._database.session() as session:
            session.add(row)

    def newest(self, repository: str, issue: int) -> KeptTests | None:
        """The newest tests of an issue that nobody called wrong; None where there are none."""
        of_issue = self._of_issue(repository, issue, retired=False)
        return of_issue[-1] if of_issue else None

    def retired(self, repository: str, issue: int) -> Sequence[KeptTests]:
        """The tests of an issue that somebody called wrong, oldest first."""
        return self._of_issue(repository, issue, retired=True)

    def retire(self, repository: str, issue: int, user: str) -> None:
        """Note that somebody calls the tests of an issue wrong: they are not to judge again."""
        table = tables.Tests
        still_used = sa.and_(
            table.repository == repository, table.issue == issue, table.retired_at.is_(None)
        )
        gone = {"retired_at": self._database.now(), "retired_by": user}
        with self._database.session() as session:
            session.execute(sa.update(table).where(still_used).values(gone))

    def any_retired(self, ids: Collection[int]) -> bool:
        """Whether somebody called one of these tests wrong."""
        table = tables.Tests
        query = sa.select(table.id).where(table.id.in_(ids), table.retired_at.is_not(None))
        with self._database.session() as session:
            return session.scalar(query.limit(1)) is not None

    def of_verdict(self, verdict_id: int) -> Sequence[KeptTests]:
        """The tests that a verdict rests on, by issue."""
        table, link = tables.Tests, tables.VerdictTests
        query = (
            sa.select(table)
            .join(link, link.tests_id == table.id)
            .where(link.verdict_id == verdict_id)
            .order_by(table.issue)
        )
        with self._database.session() as session:
            return [_kept(row) for row in session.scalars(query)]

    def _of_issue(self, repository: str, issue: int, *, retired: bool) -> Sequence[KeptTests]:
        table = tables.Tests
        query = (
            sa.select(table)
            .where(
                table.repository == repository,
                table.issue == issue,
                table.retired_at.is_not(None) if retired else table.retired_at.is_(None),
            )
            .order_by(table.id)
        )
        with self._database.session() as session:
            return [_kept(row) for row in session.scalars(query)]


_FIELDS = tuple(one.name for one in dataclasses.fields(KeptTests))


def _kept(row: tables.Tests) -> KeptTests:
    return KeptTests(**{name: getattr(row, name) for name in _FIELDS})
