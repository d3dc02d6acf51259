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
        self._is_writing = False
        self._writer = ThreadPoolExecutor(1, "intake")

    async def take(self, webhook: Webhook) -> Taken:
        """Keep a delivery and queue it; on disk when this returns.

        Raises sqlalchemy.exc.SQLAlchemyError where the store does not answer.
        """
        loop = asyncio.get_running_loop()
        arrival = _Arrival(webhook, loop.create_future())
        self._waiting.append(arrival)
        if not self._is_writing:
            self._is_writing = True
            loop.call_soon(self._write_on, loop)  # with all that come at the same moment
        return await arrival.answer

    def _write_on(self, loop: asyncio.AbstractEventLoop) -> None:
        together, self._waiting = self._waiting, []
        self._is_writing = bool(together)
        if together:
            self._writer.submit(self._write, together, loop)

    def _write(self, together: Sequence[_Arrival], loop: asyncio.AbstractEventLoop) -> None:
        """What the writer's thread does; it wakes the loop once for all of them."""
        became: Sequence[Taken | Exception]
        try:
            became = self._kept([arrival.webhook for arrival in together])
        except Exception as error:  # whatever it is, nobody may wait for ever
            became = [error] * len(together)
        loop.call_soon_threadsafe(self._answer, together, became, loop)

    def _answer(
        self,
        together: Sequence[_Arrival],
        became: Sequence[Taken | Exception],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        for arrival, what in zip(together, became, strict=True):
            if arrival.answer.done():  # nobody waits for it any more
                continue
            if isinstance(what, Exception):
                arrival.answer.set_exception(what)
            else:
                arrival.answer.set_result(what)
        loop.call_soon(self._write_on, loop)

    def _kept(self, webhooks: Sequence[Webhook]) -> list[Taken]:
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
