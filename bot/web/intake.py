"""Deliveries that come at the same time are written together: each is on disk before its answer."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue

from bot.github.types import Webhook
from bot.queue import JobQueue
from bot.store import Store


class Taken(enum.Enum):
    """What became of a delivery: those that are kept only are queued by the sweeper."""

    QUEUED = "queued"
    KEPT = "kept for later"
    KNOWN = "came again"


@dataclass(frozen=True)
class _Arrival:
    webhook: Webhook
    answer: Future[Taken] = field(default_factory=Future)


class Intake:
    """Takes deliveries from many threads; one of its own writes all that wait at a time.

    One transaction and one round trip to Redis for all of them: a wait on the disk is shared, where
    each would wait for those before it, and then for itself.
    """

    def __init__(self, store: Store, queue: JobQueue) -> None:
        self._store, self._queue = store, queue
        self._waiting: SimpleQueue[_Arrival] = SimpleQueue()
        self._writer = ThreadPoolExecutor(1, "intake")

    def take(self, webhook: Webhook) -> Taken:
        """Keep a delivery and queue it; on disk when this returns.

        Raises sqlalchemy.exc.SQLAlchemyError where the store does not answer.
        """
        arrival = _Arrival(webhook)
        self._waiting.put(arrival)
        self._writer.submit(self._write_all)
        return arrival.answer.result()

    def _write_all(self) -> None:
        """What waits now; nothing, where it was written together with what came before."""
        together: list[_Arrival] = []
        # Only one thread takes from it: what is there can be got.
        while not self._waiting.empty():
            together.append(self._waiting.get())
        try:
            self._write(together)
        except Exception as error:  # whatever it is, nobody may wait for ever
            for arrival in together:
                arrival.answer.set_exception(error)

    def _write(self, together: Sequence[_Arrival]) -> None:
        if not together:
            return
        new = self._store.deliveries.record_all([one.webhook for one in together])
        queued = self._queue.deliver_all(sorted(new)) if new else True
        for arrival in together:
            guid = arrival.webhook.delivery
            if guid in new:
                new.remove(guid)
                arrival.answer.set_result(Taken.QUEUED if queued else Taken.KEPT)
            else:
                arrival.answer.set_result(Taken.KNOWN)
