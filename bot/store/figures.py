"""Figures over all that is kept: for the dashboard and for /metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from bot.store import tables
from bot.store.database import Database
from bot.store.verdicts import Precision, Verdicts


@dataclass(frozen=True)
class RepositoryFigures:
    """What was done for a repository; `usd` counts the jobs whose price is known."""

    full_name: str
    jobs: int
    usd: float
    precision: Precision


class Figures:
    """Sums and counts."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._verdicts = Verdicts(database)

    def jobs(self) -> Mapping[tuple[str, str], int]:
        """Jobs by kind and state."""
        table = tables.Job
        query = sa.select(table.kind, table.state, sa.func.count()).group_by(
            table.kind, table.state
        )
        with self._database.session() as session:
            return {(kind, state): count for kind, state, count in session.execute(query)}

    def verdicts(self) -> Mapping[str, int]:
        """Verdicts by decision."""
        table = tables.Verdict
        count = sa.func.count().label("verdicts")
        query = sa.select(table.decision, count).group_by(table.decision)
        with self._database.session() as session:
            return {row.decision: row.verdicts for row in session.execute(query)}

    def usd(self) -> float:
        """What all jobs cost, as far as it is known."""
        with self._database.session() as session:
            return session.scalar(sa.select(sa.func.sum(tables.Job.usd))) or 0.0

    def unhandled(self) -> int:
        """Deliveries that wait to be handled."""
        table = tables.Delivery
        query = sa.select(sa.func.count()).where(table.handled_at.is_(None))
        with self._database.session() as session:
            return session.scalar(query) or 0

    def repositories(self) -> Sequence[RepositoryFigures]:
        """All repositories that had jobs, by name."""
        table = tables.Job
        query = (
            sa.select(table.repository, sa.func.count(), sa.func.sum(table.usd))
            .group_by(table.repository)
            .order_by(table.repository)
        )
        with self._database.session() as session:
            rows = session.execute(query).all()
        return [
            RepositoryFigures(name, count, usd or 0.0, self._verdicts.precision(name))
            for name, count, usd in rows
        ]
