"""Verdicts, and what people say of them."""

from __future__ import annotations

import datetime
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from bot.jobs.types import JobRequest
from bot.store import tables
from bot.store.database import Database, among
from bot.store.searching import matching

TAKES_SIDE: Final = ("accept", "reject")
"""The decisions over which precision is counted."""
_SHORT_DETAILS: Final = 4096
_MOST_REASONS, _LONGEST_REASON = 5, 500


@dataclass(frozen=True)
class Precision:
    """Of a repository's verdicts that took a side: how many, and how many were said to be wrong."""

    decided: int
    wrong: int

    @property
    def value(self) -> float | None:
        """Share of verdicts that nobody called wrong; None without any."""
        return (self.decided - self.wrong) / self.decided if self.decided else None


class Verdicts:
    """What was said of pull requests."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        request: JobRequest,
        decision: str,
        title: str,
        details: str,
        *,
        rests_on: Collection[int] = (),
    ) -> None:
        """Keep a verdict with the ids of the tests that it rests on.

        One for the same job takes its place.
        """
        table = tables.StoredVerdict
        row = table(
            job=request.key,
            repository=request.repository.full_name,
            number=request.number,
            head_sha=request.head_sha,
            decision=decision,
            title=title,
            details=details,
            created_at=self._database.now(),
        )
        with self._database.session() as session:
            session.execute(sa.delete(table).where(table.job == request.key))
            session.add(row)
            session.flush()
            session.add_all(
                tables.VerdictTests(verdict_id=row.id, tests_id=tests_id) for tests_id in rests_on
            )

    def latest(
        self, names: frozenset[str] | None = None, limit: int = 100, *, found_by: str = ""
    ) -> Sequence[tables.StoredVerdict]:
        """The latest verdicts on some repositories or on all, newest first.

        `found_by` is a text in the title, a repository, `owner/name#1`, or how a commit begins.
        """
        table = tables.StoredVerdict
        query = (
            sa.select(table)
            .where(among(table.repository, names), matching(table, table.title, found_by))
            .order_by(table.id.desc())
            .limit(limit)
        )
        with self._database.session() as session:
            return session.scalars(query).all()

    def resting_on(self, tests: Collection[int]) -> Sequence[tables.StoredVerdict]:
        """The verdicts that are the newest of their head and rest on any of these tests."""
        table, link = tables.StoredVerdict, tables.VerdictTests
        newest = sa.select(sa.func.max(table.id)).group_by(
            table.repository, table.number, table.head_sha
        )
        resting = sa.select(link.verdict_id).where(link.tests_id.in_(tests))
        query = sa.select(table).where(table.id.in_(newest), table.id.in_(resting))
        with self._database.session() as session:
            return session.scalars(query.order_by(table.id)).all()

    def get(self, verdict_id: int) -> tables.StoredVerdict | None:
        """A verdict by its number; None where there is none."""
        with self._database.session() as session:
            return session.get(tables.StoredVerdict, verdict_id)

    def of_job(self, key: str) -> tables.StoredVerdict | None:
        """The verdict of a job; None where it has none (yet)."""
        query = sa.select(tables.StoredVerdict).where(tables.StoredVerdict.job == key)
        with self._database.session() as session:
            return session.scalar(query)

    def forget(self, keep: datetime.timedelta, most: int = 100) -> int:
        """Of verdicts older than `keep`, keep the reasons alone; how many, at most `most`.

        The verdicts themselves stay: precision is counted over them, and people's word on them.
        """
        table = tables.StoredVerdict
        old = sa.and_(
            table.created_at < self._database.now() - keep,
            sa.func.length(table.details) > _SHORT_DETAILS,
        )
        with self._database.in_line, self._database.session() as session:
            rows = session.scalars(sa.select(table).where(old).limit(most)).all()
            for row in rows:
                row.details = _shortened(row.details)
            return len(rows)

    def call_wrong(self, repository: str, number: int, head_sha: str, user: str) -> bool:
        """Record that somebody calls the verdict on a head wrong; False if they did before."""
        row = tables.Feedback(
            repository=repository,
            number=number,
            head_sha=head_sha,
            user=user,
            created_at=self._database.now(),
        )
        try:
            with self._database.session() as session:
                session.add(row)
        except IntegrityError:
            return False
        return True

    def called_wrong(self, repository: str, number: int, head_sha: str) -> bool:
        """Whether somebody called the verdict on a head wrong: it is not to be repeated."""
        table = tables.Feedback
        query = sa.select(table.id).where(
            table.repository == repository, table.number == number, table.head_sha == head_sha
        )
        with self._database.session() as session:
            return session.scalar(query.limit(1)) is not None

    def has_retired_tests(self, verdict_id: int) -> bool:
        """Whether somebody called a test wrong that a verdict rests on."""
        table = tables.StoredVerdict
        query = sa.select(table.id).where(table.id == verdict_id, table.id.in_(ON_RETIRED_TESTS))
        with self._database.session() as session:
            return session.scalar(query) is not None

    def precision(self, repository: str) -> Precision:
        """Over heads of pull requests with a verdict that accepted or rejected, each once.

        A verdict is wrong where somebody calls it so, or a test that it rests on.
        """
        verdict, feedback = tables.StoredVerdict, tables.Feedback
        heads = (
            sa.select(verdict.number, verdict.head_sha)
            .where(verdict.repository == repository, verdict.decision.in_(TAKES_SIDE))
            .distinct()
            .subquery()
        )
        called = sa.union(
            sa.select(feedback.number, feedback.head_sha).where(feedback.repository == repository),
            sa.select(verdict.number, verdict.head_sha).where(
                verdict.repository == repository, verdict.id.in_(ON_RETIRED_TESTS)
            ),
        ).subquery()
        same = sa.and_(heads.c.number == called.c.number, heads.c.head_sha == called.c.head_sha)
        with self._database.session() as session:
            decided = session.scalar(sa.select(sa.func.count()).select_from(heads)) or 0
            wrong = session.scalar(sa.select(sa.func.count()).select_from(heads.join(called, same)))
        return Precision(decided, wrong or 0)


ON_RETIRED_TESTS: Final = (
    sa.select(tables.VerdictTests.verdict_id)
    .join(tables.Tests, tables.Tests.id == tables.VerdictTests.tests_id)
    .where(tables.Tests.retired_at.is_not(None))
)
"""The verdicts that rest on a test that somebody called wrong."""


def _shortened(details: str) -> str:
    """Commits and reasons, in fewer than `_SHORT_DETAILS` characters."""
    kept = json.loads(details)
    reasons = [
        {"rule": str(one["rule"])[:40], "reason": str(one["reason"])[:_LONGEST_REASON]}
        for one in kept.get("reasons", ())[:_MOST_REASONS]
    ]
    commits = {side: str(kept.get(side, ""))[:40] for side in ("base", "head")}
    return json.dumps({**commits, "reasons": reasons, "tests": []}, ensure_ascii=False)
