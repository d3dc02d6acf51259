"""What is taken is on disk: one thread writes all deliveries that wait at a time."""

from __future__ import annotations

import asyncio
import enum
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from bot.github.types import Webhook
from bot.logs import log_together
from bot.queue import JobQueue
from bot.store import Store

_log = logging.getLogger(__name__)


class Taken(enum.Enum):
    """What became of a delivery: those that are kept only are queued by the sweeper."""

    QUEUED = "queued"
    KEPT = "kept for later"
    KNOWN = "came again"


@dataclass(frozen=True)
class _Arrival:
    webhook: Webhook
    answer: asyncio.Future[Taken]


class Intake:
    """Takes deliveries, in one event loop.

    One transaction and one round trip to Redis for all that arrive while others are written: a
    wait on the disk is shared, where each would wait for those before it, and then for itself.
    """

    def __init__(self, store: Store, queue: JobQueue) -> None:
        self._store, self._queue = store, queue
        self._waiting: list[_Arrival] = []
        self._writing: asyncio.Task[None] | None = None
        self._writer = ThreadPoolExecutor(1, "intake")

    async def take(self, webhook: Webhook) -> Taken:
        """Keep a delivery and queue it; on disk when this returns.

        Raises sqlalchemy.exc.SQLAlchemyError where the store does not answer.
        """
        arrival = _Arrival(webhook, asyncio.get_running_loop().create_future())
        self._waiting.append(arrival)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())
        return await arrival.answer

    async def _write_all(self) -> None:
        while self._waiting:
            together, self._waiting = self._waiting, []
            for arrival, became in zip(together, await self._written(together), strict=True):
                if arrival.answer.done():  # nobody waits for it any more
                    continue
                if isinstance(became, Exception):
                    arrival.answer.set_exception(became)
                else:
                    arrival.answer.set_result(became)

    async def _written(self, together: Sequence[_Arrival]) -> Sequence[Taken | Exception]:
        webhooks = [arrival.webhook for arrival in together]
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._writer, self._write, webhooks)
        except Exception as error:  # whatever it is, nobody may wait for ever
            return [error] * len(webhooks)

    def _write(self, webhooks: Sequence[Webhook]) -> list[Taken]:
        taken = self._taken(webhooks)
        log_together(_log, [_line(*one) for one in zip(webhooks, taken, strict=True)])
        return taken

    def _taken(self, webhooks: Sequence[Webhook]) -> list[Taken]:
        new = self._store.deliveries.record_all(webhooks)
        queued = self._queue.deliver_all(sorted(new)) if new else True
        taken = []
        for webhook in webhooks:
            is_new = webhook.delivery in new
            new.discard(webhook.delivery)
            taken.append((Taken.QUEUED if queued else Taken.KEPT) if is_new else Taken.KNOWN)
        return taken


def _line(webhook: Webhook, taken: Taken) -> tuple[str, Mapping[str, str]]:
    return f"{webhook.event} {webhook.action}, {taken.value}", {"delivery": webhook.delivery}
