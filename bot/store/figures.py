"""Figures over all that is kept: for the dashboard and for /metrics."""

from __future__ import annotations

import datetime
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from bot.jobs.types import JobState
from bot.store import tables
from bot.store.database import Database, among
from bot.store.verdicts import ON_RETIRED_TESTS, TAKES_SIDE, Precision, Verdicts


@dataclass(frozen=True)
class RepositoryFigures:
    """What was done for a repository; `usd` counts the jobs whose price is known.

    `tests` counts the tests of issues that were kept, `wrong_tests` those that were called wrong.
    """

    full_name: str
    jobs: int
    usd: float
    precision: Precision
    tests: int
    wrong_tests: int


@dataclass(frozen=True)
class WeekFigures:
    """The verdicts of a week that begins on `monday`, and the median seconds from job to verdict.

    `precision` is over the week's heads, `usd` counts the jobs whose price is known.
    """

    monday: datetime.date
    decisions: Mapping[str, int]
    precision: Precision
    seconds: float
    usd: float


@dataclass(frozen=True)
class _Judged:
    at: datetime.datetime
    decision: str
    planned_at: datetime.datetime
    usd: float | None
    head: tuple[str, int, str]
    wrong: bool

    @property
    def monday(self) -> datetime.date:
        return self.at.date() - datetime.timedelta(days=self.at.weekday())


def _week(monday: datetime.date, verdicts: Sequence[_Judged]) -> WeekFigures:
    seconds = [(one.at - one.planned_at).total_seconds() for one in verdicts]
    return WeekFigures(
        monday,
        Counter(one.decision for one in verdicts),
        _precision(verdicts),
        statistics.median(seconds),
        sum(one.usd or 0.0 for one in verdicts),
    )


def _precision(verdicts: Sequence[_Judged]) -> Precision:
    heads = {one.head: one.wrong for one in verdicts if one.decision in TAKES_SIDE}
    return Precision(len(heads), sum(heads.values()))


_IS_WRONG: Final = sa.or_(
    tables.StoredVerdict.id.in_(ON_RETIRED_TESTS),
    sa.exists().where(
        tables.Feedback.repository == tables.StoredVerdict.repository,
        tables.Feedback.number == tables.StoredVerdict.number,
        tables.Feedback.head_sha == tables.StoredVerdict.head_sha,
    ),
)
"""Whether somebody called a verdict wrong, or a test that it rests on."""


class Figures:
    """Sums and counts."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._verdicts = Verdicts(database)

    def jobs(self, names: frozenset[str] | None = None) -> Mapping[tuple[str, str], int]:
        """Jobs by kind and state, of some repositories or of all."""
        table = tables.Job
        query = (
            sa.select(table.kind, table.state, sa.func.count())
            .where(among(table.repository, names))
            .group_by(table.kind, table.state)
        )
        with self._database.session() as session:
            return {(kind, state): count for kind, state, count in session.execute(query)}

    def verdicts(self, names: frozenset[str] | None = None) -> Mapping[str, int]:
        """Verdicts by decision, of some repositories or of all."""
        table = tables.StoredVerdict
        count = sa.func.count().label("verdicts")
        query = (
            sa.select(table.decision, count)
            .where(among(table.repository, names))
            .group_by(table.decision)
        )
        with self._database.session() as session:
            return {row.decision: row.verdicts for row in session.execute(query)}

    def usd(self, names: frozenset[str] | None = None) -> float:
        """What the jobs of some repositories, or of all, cost, as far as it is known."""
        query = sa.select(sa.func.sum(tables.Job.usd)).where(among(tables.Job.repository, names))
        with self._database.session() as session:
            return session.scalar(query) or 0.0

    def weeks(self, names: frozenset[str] | None = None, count: int = 8) -> Sequence[WeekFigures]:
        """The latest weeks in which there was a verdict, newest first."""
        job, verdict = tables.Job, tables.StoredVerdict
        since = self._database.now() - datetime.timedelta(weeks=count)
        query = (
            sa.select(
                verdict.created_at,
                verdict.decision,
                job.created_at,
                job.usd,
                verdict.repository,
                verdict.number,
                verdict.head_sha,
                _IS_WRONG,
            )
            .join(job, job.key == verdict.job)
            .where(verdict.created_at >= since, among(verdict.repository, names))
        )
        weeks: dict[datetime.date, list[_Judged]] = {}
        with self._database.session() as session:
            for at, decision, planned_at, usd, name, number, sha, wrong in session.execute(query):
                head = (name, number, sha)
                judged = _Judged(at, decision, planned_at, usd, head, bool(wrong))
                weeks.setdefault(judged.monday, []).append(judged)
        return [_week(monday, weeks[monday]) for monday in sorted(weeks, reverse=True)]

    def seconds(self, jobs: int = 100) -> Mapping[str, float]:
        """Mean seconds, by kind, of the latest jobs that are done; from the last attempt on."""
        table = tables.Job
        query = (
            sa.select(table.kind, table.started_at, table.ended_at)
            .where(table.state == JobState.DONE)
            .order_by(table.ended_at.desc())
            .limit(jobs)
        )
        taken: dict[str, list[float]] = {}
        with self._database.session() as session:
            for kind, started_at, ended_at in session.execute(query):
                if started_at is not None and ended_at is not None:
                    taken.setdefault(kind, []).append((ended_at - started_at).total_seconds())
        return {kind: statistics.fmean(all_of_kind) for kind, all_of_kind in taken.items()}

    def unhandled(self) -> int:
        """Deliveries that wait to be handled."""
        table = tables.Delivery
        query = sa.select(sa.func.count()).where(table.handled_at.is_(None))
        with self._database.session() as session:
            return session.scalar(query) or 0

    def oldest_unhandled_seconds(self) -> float:
        """How long the oldest delivery has waited to be handled; 0 where none does."""
        table = tables.Delivery
        query = sa.select(sa.func.min(table.received_at)).where(table.handled_at.is_(None))
        with self._database.session() as session:
            oldest = session.scalar(query)
        return (self._database.now() - oldest).total_seconds() if oldest else 0.0

    def repositories(self, names: frozenset[str] | None = None) -> Sequence[RepositoryFigures]:
        """The repositories that had jobs, all or some of them, by name."""
        table = tables.Job
        query = (
            sa.select(table.repository, sa.func.count(), sa.func.sum(table.usd))
            .where(among(table.repository, names))
            .group_by(table.repository)
            .order_by(table.repository)
        )
        with self._database.session() as session:
            rows = session.execute(query).all()
        tests = self._tests_by_repository()
        return [
            RepositoryFigures(
                name, count, usd or 0.0, self._verdicts.precision(name), *tests.get(name, (0, 0))
            )
            for name, count, usd in rows
        ]

    def called_wrong(self) -> Mapping[str, int]:
        """What people called wrong: heads of pull requests with a verdict, and tests."""
        feedback = tables.Feedback
        heads = (
            sa.select(feedback.repository, feedback.number, feedback.head_sha)
            .where(feedback.head_sha != "")
            .distinct()
            .subquery()
        )
        with self._database.session() as session:
            verdicts = session.scalar(sa.select(sa.func.count()).select_from(heads)) or 0
        tests = sum(wrong for _, wrong in self._tests_by_repository().values())
        return {"verdict": verdicts, "test": tests}

    def _tests_by_repository(self) -> Mapping[str, tuple[int, int]]:
        """How many tests were kept, and how many of them were called wrong."""
        table = tables.Tests
        query = sa.select(
            table.repository, sa.func.count(), sa.func.count(table.retired_at)
        ).group_by(table.repository)
        with self._database.session() as session:
            return {name: (tests, wrong) for name, tests, wrong in session.execute(query)}
