"""The process that sends: `python -m tests.load.client` reads an `Order` as JSON, writes `Sent`.

Everything is made and signed before the clock starts. The clients keep their connections and send
the next delivery when the one before is answered, or at the moment that a rate asks for: then a
delivery waits from that moment on, also where no client is free to send it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from tests.load.deliveries import Target, planned, signed

LONGEST_SECONDS = 10.0
"""GitHub waits no longer for an answer."""
NO_ANSWER = 0
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Order:
    """What to send: `count` deliveries, a share of them twice, by so many clients at a time.

    `rate` is how many are sent a second; 0: as fast as they are answered.
    """

    target: Target
    payload: str
    count: int
    duplicates: float
    clients: int
    seed: int
    rate: float = 0.0


@dataclass(frozen=True)
class Delivery:
    """A request, and the moment of the event loop's clock at which it is due; 0: at any."""

    guid: str
    request: bytes
    due: float


@dataclass(frozen=True)
class Sent:
    """How that went: id, status (0: no answer) and seconds of each delivery, in order of answers.

    `busy` is the sender's own processor time: near `seconds`, it would measure itself.
    """

    answers: Sequence[tuple[str, int, float]]
    seconds: float
    busy: float


def send(order: Order) -> Sent:
    """Send from a process of its own."""
    command = [sys.executable, "-m", "tests.load.client"]
    given = json.dumps(asdict(order))
    done = subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True)
    told = json.loads(done.stdout)
    return Sent([tuple(one) for one in told["answers"]], told["seconds"], told["busy"])


class _Connection(asyncio.Protocol):
    """One client: one delivery in flight."""

    def __init__(self, waiting: deque[Delivery], answers: list[tuple[str, int, float]]) -> None:
        self._waiting, self._answers = waiting, answers
        self._guid, self._since, self._read = "", 0.0, b""
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = self._loop.create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._next()

    def data_received(self, data: bytes) -> None:
        self._read += data
        head, found, body = self._read.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if found and length is not None and len(body) >= int(length[1]):
            self._note(int(head.split(b" ", 2)[1]))
            self._next()

    def connection_lost(self, error: Exception | None) -> None:
        if self._guid:
            self._note(NO_ANSWER)
        self.ended.set_result(None)

    def _next(self) -> None:
        if not self._waiting:
            self._transport.close()
            return
        delivery = self._waiting.popleft()
        if delivery.due > self._loop.time():
            self._loop.call_at(delivery.due, self._send, delivery)
        else:
            self._send(delivery)

    def _send(self, delivery: Delivery) -> None:
        self._guid, self._since = delivery.guid, delivery.due or self._loop.time()
        self._transport.write(delivery.request)

    def _note(self, status: int) -> None:
        self._answers.append((self._guid, status, self._loop.time() - self._since))
        self._guid, self._read = "", b""


async def _client(
    port: int, waiting: deque[Delivery], answers: list[tuple[str, int, float]]
) -> None:
    """Every connection takes at least one delivery, so this ends; early, if the server is gone.

    A server that dies with connections in its backlog resets them; one that is gone refuses.
    """
    loop = asyncio.get_running_loop()
    with contextlib.suppress(ConnectionRefusedError, ConnectionResetError):
        while waiting:
            _, connection = await loop.create_connection(
                lambda: _Connection(waiting, answers), "127.0.0.1", port
            )
            await connection.ended


async def _send(order: Order) -> Sent:
    body = order.payload.encode()
    guids = planned(order.count, order.duplicates, order.seed)
    made = [(guid, signed(order.target, body, guid)) for guid in guids]
    answers: list[tuple[str, int, float]] = []
    began, busy = asyncio.get_running_loop().time(), time.process_time()
    gap = 1 / order.rate if order.rate else 0.0
    waiting = deque(
        Delivery(*one, due=(began + gap * (number + 1)) if gap else 0.0)
        for number, one in enumerate(made)
    )
    async with asyncio.TaskGroup() as clients:
        for _ in range(order.clients):
            clients.create_task(_client(order.target.port, waiting, answers))
    seconds = asyncio.get_running_loop().time() - began
    return Sent(answers, seconds, time.process_time() - busy)


def main() -> None:
    told = json.load(sys.stdin)
    order = Order(**{**told, "target": Target(**told["target"])})
    json.dump(asdict(asyncio.run(_send(order))), sys.stdout)


if __name__ == "__main__":
    main()
