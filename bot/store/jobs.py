"""Jobs: planned once, taken in hand, ended once, superseded by newer ones."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from bot.github.types import RepositoryId
from bot.jobs.types import JobKind, JobRequest, JobState
from bot.store import tables
from bot.store.database import Database, among
from bot.store.searching import matching

_UNFINISHED = (JobState.QUEUED, JobState.RUNNING)


class Jobs:
    """What is to be done, and what came of it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def plan(self, request: JobRequest, wait: datetime.timedelta | None = None) -> bool:
        """Write a job that is to be done; False where it was planned before.

        With `wait` it does not begin before that time, or its `release`.
        """
        now = self._database.now()
        row = tables.Job(
            **_fields(request),
            state=JobState.QUEUED,
            created_at=now,
            not_before=None if wait is None else now + wait,
        )
        try:
            with self._database.session() as session:
                session.add(row)
        except IntegrityError:
            return False
        return True

    def hold(self, key: str, wait: datetime.timedelta) -> bool:
        """Keep a job that waits and never began from doing so for some time, or its `release`.

        False where there is no such job: it began, or ended.
        """
        return self._set_not_before(key, self._database.now() + wait)

    def release(self, key: str) -> None:
        """Let a job that waits and never began do so at once."""
        self._set_not_before(key, None)

    def _set_not_before(self, key: str, not_before: datetime.datetime | None) -> bool:
        table = tables.Job
        fresh = sa.and_(
            table.key == key, table.state == JobState.QUEUED, table.started_at.is_(None)
        )
        change = sa.update(table).where(fresh).values(not_before=not_before).returning(table.key)
        with self._database.session() as session:
            return session.scalar(change) is not None

    def supersede(self, request: JobRequest) -> Sequence[JobRequest]:
        """End all other unfinished jobs with the request's concurrency key; returns them."""
        table = tables.Job
        others = sa.and_(
            table.concurrency_key == request.concurrency_key,
            table.key != request.key,
            table.state.in_(_UNFINISHED),
        )
        with self._database.session() as session:
            rows = session.scalars(sa.select(table).where(others)).all()
            for row in rows:
                row.state, row.ended_at = JobState.SUPERSEDED, self._database.now()
            return [request_of(row) for row in rows]

    def begin(self, key: str) -> JobRequest | None:
        """Take a job that waits, or whose worker died, in hand; None where there is nothing to do.

        Nothing is to do before its time (see `postpone`) either. Counts the attempt. Who calls
        makes sure that no other worker has it.
        """
        table = tables.Job
        with self._database.session() as session:
            row = session.get(table, key, with_for_update=True)
            if row is None or JobState(row.state).is_final or self._is_early(row):
                return None
            row.state, row.started_at = JobState.RUNNING, self._database.now()
            row.attempts += 1
            return request_of(row)

    def finish(
        self, key: str, state: JobState, message: str = "", usd: float | None = None
    ) -> bool:
        """End a job; False where it had ended before (it was superseded, say)."""
        with self._database.session() as session:
            row = session.get(tables.Job, key, with_for_update=True)
            if row is None or JobState(row.state).is_final:
                return False
            row.state, row.message, row.usd = state, message, usd
            row.ended_at = self._database.now()
            row.reported = state is JobState.DONE
            return True

    def postpone(
        self, key: str, wait: datetime.timedelta, message: str, *, counts: bool = True
    ) -> bool:
        """Let a job wait for some time; False where it has ended.

        The attempt is taken back where it does not count: it was GitHub that asked to wait.
        """
        with self._database.session() as session:
            row = session.get(tables.Job, key, with_for_update=True)
            if row is None or JobState(row.state).is_final:
                return False
            row.state, row.message = JobState.QUEUED, message
            row.not_before = self._database.now() + wait
            row.attempts -= 0 if counts else 1
            return True

    def unreported(self) -> Sequence[tables.Job]:
        """Jobs that ended, and GitHub does not surely show it; oldest first."""
        table = tables.Job
        query = (
            sa.select(table)
            .where(table.reported.is_(False), table.ended_at.is_not(None))
            .order_by(table.ended_at)
        )
        with self._database.session() as session:
            return session.scalars(query).all()

    def mark_reported(self, key: str) -> None:
        """Note that GitHub shows how a job ended, or that it need not."""
        table = tables.Job
        with self._database.session() as session:
            session.execute(sa.update(table).where(table.key == key).values(reported=True))

    def get(self, key: str) -> tables.Job | None:
        """A job by its key; None for one that was never planned."""
        with self._database.session() as session:
            return session.get(tables.Job, key)

    def unfinished(self, names: frozenset[str] | None = None) -> Sequence[tables.Job]:
        """Jobs that wait or run, of some repositories or of all, oldest first."""
        table = tables.Job
        query = (
            sa.select(table)
            .where(table.state.in_(_UNFINISHED), among(table.repository, names))
            .order_by(table.created_at)
        )
        with self._database.session() as session:
            return session.scalars(query).all()

    def repositories(self) -> frozenset[str]:
        """The names of those that had jobs."""
        with self._database.session() as session:
            return frozenset(session.scalars(sa.select(tables.Job.repository).distinct()))

    def latest(
        self,
        names: frozenset[str] | None = None,
        limit: int = 100,
        *,
        state: JobState | None = None,
        found_by: str = "",
    ) -> Sequence[tables.Job]:
        """The latest jobs of some repositories or of all, in one state or any, newest first.

        `found_by` is a text in the message, a repository, `owner/name#1`, or how a commit begins.
        """
        table = tables.Job
        query = (
            sa.select(table)
            .where(among(table.repository, names), matching(table, table.message, found_by))
            .where(sa.true() if state is None else table.state == state)
            .order_by(table.created_at.desc())
            .limit(limit)
        )
        with self._database.session() as session:
            return session.scalars(query).all()

    def newest_among(self, jobs: Collection[tables.Job]) -> frozenset[str]:
        """The keys of those after which nothing was planned with the same concurrency key."""
        table = tables.Job
        keys = {job.concurrency_key for job in jobs}
        newest = (
            sa.select(table.concurrency_key, sa.func.max(table.created_at))
            .where(table.concurrency_key.in_(keys))
            .group_by(table.concurrency_key)
        )
        with self._database.session() as session:
            last = {row[0]: row[1] for row in session.execute(newest)}
        return frozenset(job.key for job in jobs if job.created_at >= last[job.concurrency_key])

    def newest_of_issues(self, repository: str) -> Sequence[tables.Job]:
        """The newest reproduction of each issue of a repository, by the issue's number."""
        table = tables.Job
        reproductions = sa.and_(table.repository == repository, table.kind == JobKind.REPRODUCE)
        newest = (
            sa.select(table.number, sa.func.max(table.round).label("round"))
            .where(reproductions)
            .group_by(table.number)
            .subquery()
        )
        same = sa.and_(table.number == newest.c.number, table.round == newest.c.round)
        query = sa.select(table).join(newest, same).where(reproductions).order_by(table.number)
        with self._database.session() as session:
            return session.scalars(query).all()

    def planned_since(
        self,
        repository: str,
        kind: JobKind,
        age: datetime.timedelta,
        *,
        requested_by: str = "",
        besides: str = "",
    ) -> int:
        """How many jobs of a kind were planned for a repository within some time.

        Only those that somebody asked for, where a name is given; those that the delivery
        `besides` caused do not count.
        """
        table = tables.Job
        query = sa.select(sa.func.count()).where(
            table.repository == repository,
            table.kind == kind,
            table.created_at >= self._database.now() - age,
        )
        if requested_by:
            query = query.where(table.requested_by == requested_by)
        if besides:
            query = query.where(table.cause != besides)
        with self._database.session() as session:
            return session.scalar(query) or 0

    def rounds(self, concurrency_key: str, head_sha: str) -> int:
        """How many jobs there were for a head: the round of a deliberate re-run."""
        table = tables.Job
        of_head = sa.and_(table.concurrency_key == concurrency_key, table.head_sha == head_sha)
        query = sa.select(sa.func.count()).where(of_head)
        with self._database.session() as session:
            return session.scalar(query) or 0

    def with_round(self, request: JobRequest, *, again: bool) -> JobRequest:
        """The request with the round that it is: asked twice by the same delivery, the same.

        `again` asks for one more round than there were, once for each delivery: one that was
        carried out in part, and finds another head when it is handled again, asks for no more than
        a first round of that. Without it the newest round answers, unless that was superseded: then
        its head is back, and is judged after all.
        """
        table = tables.Job
        query = (
            sa.select(table)
            .where(table.concurrency_key == request.concurrency_key)
            .order_by(table.round)
        )
        with self._database.session() as session:
            rows = session.scalars(query).all()
        return dataclasses.replace(request, round=_round(request, rows, again=again))

    def _is_early(self, row: tables.Job) -> bool:
        return row.not_before is not None and row.not_before > self._database.now()


def _round(request: JobRequest, rows: Sequence[tables.Job], *, again: bool) -> int:
    of_head = [row for row in rows if row.head_sha == request.head_sha]
    if not of_head:
        return 0
    ours = [row for row in rows if request.cause and row.cause == request.cause]
    for row in ours:
        if row.head_sha == request.head_sha:
            return row.round
    newest = of_head[-1]
    wanted = (again and not ours) or newest.state == JobState.SUPERSEDED
    return newest.round + 1 if wanted else newest.round


def request_of(row: tables.Job) -> JobRequest:
    """What a job was planned for."""
    return JobRequest(
        kind=JobKind(row.kind),
        repository=RepositoryId(row.installation, row.repository),
        number=row.number,
        head_sha=row.head_sha,
        base_sha=row.base_sha,
        round=row.round,
        regenerate_tests=row.regenerate_tests,
        requested_by=row.requested_by,
        cause=row.cause,
    )


def _fields(request: JobRequest) -> dict[str, Any]:
    plain = dataclasses.asdict(request)
    del plain["repository"]
    return {
        **plain,
        "key": request.key,
        "concurrency_key": request.concurrency_key,
        "installation": request.repository.installation,
        "repository": request.repository.full_name,
    }
