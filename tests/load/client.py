"""The process that sends: `python -m tests.load.client` reads an `Order` as JSON, writes `Sent`.

Everything is made and signed before the clock starts; the clients keep their connections and send
the next delivery when the one before is answered.
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
    """What to send: `count` deliveries, a share of them twice, by so many clients at a time."""

    target: Target
    payload: str
    count: int
    duplicates: float
    clients: int
    seed: int


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

    def __init__(
        self, waiting: deque[tuple[str, bytes]], answers: list[tuple[str, int, float]]
    ) -> None:
        self._waiting, self._answers = waiting, answers
        self._guid, self._since, self._read = "", 0.0, b""
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

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
        self._guid, request = self._waiting.popleft()
        self._since = time.perf_counter()
        self._transport.write(request)

    def _note(self, status: int) -> None:
        self._answers.append((self._guid, status, time.perf_counter() - self._since))
        self._guid, self._read = "", b""


async def _client(
    port: int, waiting: deque[tuple[str, bytes]], answers: list[tuple[str, int, float]]
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
    waiting = deque((guid, signed(order.target, body, guid)) for guid in guids)
    answers: list[tuple[str, int, float]] = []
    began, busy = time.perf_counter(), time.process_time()
    async with asyncio.TaskGroup() as clients:
        for _ in range(order.clients):
            clients.create_task(_client(order.target.port, waiting, answers))
    return Sent(answers, time.perf_counter() - began, time.process_time() - busy)


def main() -> None:
    told = json.load(sys.stdin)
    order = Order(**{**told, "target": Target(**told["target"])})
    json.dump(asdict(asyncio.run(_send(order))), sys.stdout)


if __name__ == "__main__":
    main()
