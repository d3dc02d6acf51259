"""Clients that send their requests a byte at a time: `python -m tests.load.slow PORT`.

Shows how long others wait for /healthz meanwhile, and when the server hangs up on the slow ones.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import enum
import http.client
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

EVERY_SECONDS = 0.5
"""Between two bytes."""
LONGEST_LOOK = 5.0
"""Seconds in which somebody who only asks for /healthz gets an answer, or gives up."""


class Slow(enum.Enum):
    """Which part of its request a client sends slowly; an idle one sends nothing at all."""

    HEADERS = "headers"
    BODY = "body"
    BLANK_LINES = "blank lines"
    IDLE = "idle"


_FIRST = {
    Slow.HEADERS: b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    Slow.BODY: b"POST /webhook HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n",
    Slow.BLANK_LINES: b"\r\n",
    Slow.IDLE: b"",
}
_THEN = {Slow.HEADERS: b"x", Slow.BODY: b"x", Slow.BLANK_LINES: b"\r\n", Slow.IDLE: b""}


@dataclass(frozen=True)
class Dripping:
    """Slow clients at work. `ended` holds after how many seconds the server hung up on each."""

    clients: int
    ended: Sequence[float]


@contextlib.contextmanager
def dripping(port: int, clients: int, slow: Slow) -> Iterator[Dripping]:
    """So many slow clients, all connected when this begins, until the end of the `with`."""
    ended: list[float] = []
    connected, stop = threading.Event(), threading.Event()

    async def everyone() -> None:
        opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(clients)]
        connected.set()
        async with asyncio.TaskGroup() as group:
            for reader, writer in opened:
                group.create_task(_drip(reader, writer, slow, ended, stop))

    thread = threading.Thread(target=asyncio.run, args=(everyone(),), daemon=True)
    thread.start()
    if not connected.wait(60):
        raise RuntimeError(f"{clients} slow clients could not connect")
    try:
        yield Dripping(clients, ended)
    finally:
        stop.set()
        thread.join(60)


async def _drip(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    slow: Slow,
    ended: list[float],
    stop: threading.Event,
) -> None:
    began, hung_up = time.monotonic(), asyncio.create_task(_until_closed(reader))
    with contextlib.suppress(OSError):
        writer.write(_FIRST[slow])
        while not hung_up.done() and not stop.is_set():
            writer.write(_THEN[slow])
            await asyncio.wait([hung_up], timeout=EVERY_SECONDS)
    if hung_up.done():
        ended.append(time.monotonic() - began)
    hung_up.cancel()
    writer.transport.abort()


async def _until_closed(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(4096):
            pass


def seconds_of_a_look(port: int) -> float:
    """How long /healthz takes; infinity where it does not answer in time."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST_LOOK)
    try:
        connection.request("GET", "/healthz")
        answered = connection.getresponse().status == 200
    except OSError:
        answered = False
    finally:
        connection.close()
    return time.monotonic() - began if answered else float("inf")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.slow", description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--clients", type=int, default=101)
    parser.add_argument("--seconds", type=float, default=45.0, help="for each kind of slowness")
    chosen = parser.parse_args()
    unanswered = 0
    for slow in Slow:
        with dripping(chosen.port, chosen.clients, slow) as made:
            looks = _looks(chosen.port, time.monotonic() + chosen.seconds)
        unanswered += looks.count(float("inf"))
        _show(slow, made, looks)
    return 1 if unanswered else 0


def _looks(port: int, end: float) -> list[float]:
    found = []
    while time.monotonic() < end:
        found.append(seconds_of_a_look(port))
        time.sleep(0.5)
    return found


def _show(slow: Slow, made: Dripping, looks: Sequence[float]) -> None:
    last = f"the last after {max(made.ended):.0f} s" if made.ended else "none"
    sys.stdout.write(
        f"{made.clients} clients, slow with {slow.value}: /healthz {len(looks)} times, "
        f"{looks.count(float('inf'))} unanswered, median {statistics.median(looks):.3f} s, "
        f"max {max(looks):.3f} s; hung up on {len(made.ended)}, {last}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
