"""The tables. Times are UTC; long texts are JSON or patches as they were made."""

from __future__ import annotations

import datetime

from sqlalchemy import (
    BigInteger,
    DateTime,
    ForeignKey,
    Index,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Moment(TypeDecorator[datetime.datetime]):
    """A moment in UTC, also where the database keeps no zone (SQLite)."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(  # noqa: D102
        self,
        value: datetime.datetime | None,
        dialect: Dialect,  # noqa: ARG002
    ) -> datetime.datetime | None:
        return None if value is None else value.astimezone(datetime.UTC).replace(tzinfo=None)

    def process_result_value(  # noqa: D102
        self,
        value: datetime.datetime | None,
        dialect: Dialect,  # noqa: ARG002
    ) -> datetime.datetime | None:
        return None if value is None else value.replace(tzinfo=datetime.UTC)


class Base(DeclarativeBase):
    """Of all tables."""


class Delivery(Base):
    """A webhook delivery, written before it is answered."""

    __tablename__ = "deliveries"
    id: Mapped[str] = mapped_column(primary_key=True)
    event: Mapped[str]
    action: Mapped[str]
    payload: Mapped[str] = mapped_column(Text)
    received_at: Mapped[datetime.datetime] = mapped_column(Moment)
    handled_at: Mapped[datetime.datetime | None] = mapped_column(Moment, index=True)
    attempts: Mapped[int] = mapped_column(default=0)
    trace_context: Mapped[str] = mapped_column(default="")


class Job(Base):
    """A job, by its request's key.

    `not_before` is when it may be tried again, `reported` whether GitHub shows how it ended,
    `cause` the delivery that asked for it. Columns keep the names that they were made with.
    """

    __tablename__ = "jobs"
    key: Mapped[str] = mapped_column(primary_key=True)
    concurrency_key: Mapped[str] = mapped_column("lane", index=True)
    kind: Mapped[str]
    installation: Mapped[int] = mapped_column(BigInteger)
    repository: Mapped[str] = mapped_column(index=True)
    number: Mapped[int]
    head_sha: Mapped[str]
    base_sha: Mapped[str]
    round: Mapped[int]
    regenerate_tests: Mapped[bool] = mapped_column("afresh")
    requested_by: Mapped[str]
    state: Mapped[str] = mapped_column(index=True)
    message: Mapped[str] = mapped_column(Text, default="")
    attempts: Mapped[int] = mapped_column(default=0)
    usd: Mapped[float | None]
    created_at: Mapped[datetime.datetime] = mapped_column(Moment)
    started_at: Mapped[datetime.datetime | None] = mapped_column(Moment)
    ended_at: Mapped[datetime.datetime | None] = mapped_column(Moment)
    not_before: Mapped[datetime.datetime | None] = mapped_column(Moment)
    reported: Mapped[bool] = mapped_column("told", default=False)
    cause: Mapped[str] = mapped_column(default="")


class Tests(Base):
    """Tests for an issue, kept as they were when it was opened.

    Those that `retired_by` called wrong judge nothing from `retired_at` on.
    """

    __tablename__ = "tests"
    __table_args__ = (Index("tests_of_issue", "repository", "issue"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    repository: Mapped[str]
    issue: Mapped[int]
    commit: Mapped[str]
    patch: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    confidence: Mapped[float]
    method: Mapped[str]
    environment: Mapped[str]
    sandbox: Mapped[str]
    created_at: Mapped[datetime.datetime] = mapped_column(Moment)
    retired_at: Mapped[datetime.datetime | None] = mapped_column(Moment)
    retired_by: Mapped[str] = mapped_column(default="")


class StoredVerdict(Base):
    """A verdict on a head of a pull request; `details` is the verification as JSON."""

    __tablename__ = "verdicts"
    id: Mapped[int] = mapped_column(primary_key=True)
    job: Mapped[str] = mapped_column(ForeignKey("jobs.key"), unique=True)
    repository: Mapped[str] = mapped_column(index=True)
    number: Mapped[int]
    head_sha: Mapped[str]
    decision: Mapped[str]
    title: Mapped[str] = mapped_column(Text)
    details: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime.datetime] = mapped_column(Moment)


class VerdictTests(Base):
    """The tests of issues that a verdict rests on."""

    __tablename__ = "verdict_tests"
    verdict_id: Mapped[int] = mapped_column(
        ForeignKey("verdicts.id", ondelete="CASCADE"), primary_key=True
    )
    tests_id: Mapped[int] = mapped_column(ForeignKey("tests.id"), primary_key=True, index=True)


class Feedback(Base):
    """Somebody with the permission says that a verdict was wrong."""

    __tablename__ = "feedback"
    __table_args__ = (UniqueConstraint("repository", "number", "head_sha", "user"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    repository: Mapped[str] = mapped_column(index=True)
    number: Mapped[int]
    head_sha: Mapped[str]
    user: Mapped[str]
    created_at: Mapped[datetime.datetime] = mapped_column(Moment)


class LoginSession(Base):
    """Somebody who is logged in, by the hash of what their browser holds.

    `access` maps `owner/name` to whether they may push there, as JSON; that of the operator, who
    sees everything, is "".
    """

    __tablename__ = "sessions"
    id: Mapped[str] = mapped_column(primary_key=True)
    login: Mapped[str]
    access: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime.datetime] = mapped_column(Moment)
    expires_at: Mapped[datetime.datetime] = mapped_column(Moment, index=True)


class Pause(Base):
    """An issue or pull request on which the App is silent; number 0 is the whole repository."""

    __tablename__ = "pauses"
    repository: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    by: Mapped[str]
