"""Webhook deliveries: written before they are answered, handled once."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from bot.github.types import Webhook
from bot.store import tables
from bot.store.database import Database

REDELIVERED_FOR: Final = datetime.timedelta(days=3)
"""https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks"""


@dataclass(frozen=True)
class Waiting:
    """A delivery that is not handled yet, and how often that was tried."""

    id: str
    attempts: int
    received_at: datetime.datetime


Row = dict[str, Any]
_INSERT: Final = """
INSERT INTO deliveries (id, event, action, payload, received_at, attempts, trace_context)
VALUES (:id, :event, :action, :payload, :received_at, :attempts, :trace_context)
ON CONFLICT DO NOTHING
"""


class Deliveries:
    """What GitHub delivered."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, webhook: Webhook) -> bool:
        """Write a delivery; False where it is there already. On disk when this returns."""
        return bool(self.record_all([webhook]))

    def record_all(self, arrived: Sequence[Webhook]) -> set[str]:
        """Write deliveries in one transaction; the ids of those that were not there already."""
        write = self._write_by_driver if self._database.is_sqlite else self._write
        with self._database.in_line:
            return write([_row(webhook, self._database.now()) for webhook in arrived])

    def _write(self, rows: Sequence[Row]) -> set[str]:
        # Not by a session, which takes twice the time: all webhooks wait for this.
        new = self._database.insert(tables.Delivery).on_conflict_do_nothing()
        with self._database.engine.begin() as connection:
            return set(connection.scalars(new.returning(tables.Delivery.id), rows))

    def _write_by_driver(self, rows: Sequence[Row]) -> set[str]:
        """SQLAlchemy takes longer than SQLite."""
        with self._database.driver() as connection:
            cursor = connection.cursor()
            return {
                row["id"]
                for row in rows
                if cursor.execute(_INSERT, _as_sqlite_has_it(row)).rowcount
            }

    def get(self, delivery_id: str) -> tables.Delivery | None:
        """A delivery by its id; None for one that never came."""
        with self._database.session() as session:
            return session.get(tables.Delivery, delivery_id)

    def trace_context(self, delivery_id: str) -> str:
        """The trace that a delivery began; "" without one, or where the delivery is forgotten."""
        table = tables.Delivery
        with self._database.session() as session:
            query = sa.select(table.trace_context).where(table.id == delivery_id)
            return session.scalar(query) or ""

    def handled(self, delivery_id: str) -> None:
        """Note that all that a delivery asks for is planned."""
        with self._database.session() as session:
            session.execute(
                sa.update(tables.Delivery)
                .where(tables.Delivery.id == delivery_id)
                .values(handled_at=self._database.now())
            )

    def attempt(self, delivery_id: str) -> int:
        """Count another attempt to handle a delivery; how many there are now."""
        table = tables.Delivery
        with self._database.session() as session:
            session.execute(
                sa.update(table).where(table.id == delivery_id).values(attempts=table.attempts + 1)
            )
            return session.scalar(sa.select(table.attempts).where(table.id == delivery_id)) or 0

    def waiting(self) -> Sequence[Waiting]:
        """All deliveries that still wait, oldest first, without their payloads."""
        table = tables.Delivery
        query = (
            sa.select(table.id, table.attempts, table.received_at)
            .where(table.handled_at.is_(None))
            .order_by(table.received_at)
        )
        with self._database.session() as session:
            return [Waiting(*row) for row in session.execute(query)]

    def forget(self, keep: datetime.timedelta, most: int = 500) -> int:
        """Forget handled deliveries that came longer ago than `keep`; how many, at most `most`.

        For as long as GitHub can deliver them again, their ids stay: so they are recognised.
        """
        table, now = tables.Delivery, self._database.now()
        handled = table.handled_at.is_not(None)
        old = sa.and_(handled, table.received_at < now - max(keep, REDELIVERED_FOR))
        full = sa.and_(handled, table.received_at < now - keep, table.payload != "")
        with self._database.in_line, self._database.session() as session:
            gone = session.scalars(sa.select(table.id).where(old).limit(most)).all()
            session.execute(sa.delete(table).where(table.id.in_(gone)))
            emptied = session.scalars(sa.select(table.id).where(full).limit(most)).all()
            session.execute(sa.update(table).where(table.id.in_(emptied)).values(payload=""))
            return max(len(gone), len(emptied))

    def unhandled(self, older_than: datetime.timedelta) -> Sequence[str]:
        """The ids of deliveries that still wait after some time, oldest first."""
        table = tables.Delivery
        query = (
            sa.select(table.id)
            .where(
                table.handled_at.is_(None), table.received_at < self._database.now() - older_than
            )
            .order_by(table.received_at)
        )
        with self._database.session() as session:
            return session.scalars(query).all()


def _row(webhook: Webhook, received_at: datetime.datetime) -> Row:
    return {
        "id": webhook.delivery,
        "event": webhook.event,
        "action": webhook.action,
        "payload": webhook.payload,
        "received_at": received_at,
        "attempts": 0,
        "trace_context": webhook.trace_context,
    }


def _as_sqlite_has_it(row: Row) -> Row:
    """With the moment as text, of the length that SQLAlchemy gives it: so they can be compared."""
    moment = row["received_at"].astimezone(datetime.UTC).replace(tzinfo=None)
    return {**row, "received_at": moment.isoformat(" ", "microseconds")}
