"""Reads a stream while watching the clock, so that a provider that falls silent is noticed.

The reading happens in a thread of its own: only so do bounds hold whatever the reader is stuck in,
be it name resolution, the handshake, or comment lines that keep a connection warm and say nothing.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from generator.model.retries import ModelRetryPolicy, TransientError, seconds_left, time_is_up

Chunk = TypeVar("Chunk", covariant=True)


class Stream(Protocol[Chunk]):
    """What both vendors' packages return for a streamed reply."""

    def __iter__(self) -> Iterator[Chunk]:
        """The chunks as they come."""
        ...

    def close(self) -> None:
        """Give the connection up."""
        ...


@dataclass(frozen=True)
class _Ended:
    """The last thing in the queue; `error` is what the reader died of, if it did."""

    error: Exception | None = None


def watched(begin: Callable[[], Stream[Chunk]], retry_policy: ModelRetryPolicy) -> Iterator[Chunk]:
    """The chunks of the stream that `begin` requests, each within the bounds.

    Raises what reading raises, TransientError on a stall, and LimitReachedError at a deadline. The
    connection is given up whenever iteration ends before the stream does.
    """
    reader = _Reader(begin)
    end = time.monotonic() + retry_policy.reply_seconds
    try:
        while not isinstance(item := _next(reader, retry_policy, end), _Ended):
            yield item
    finally:
        reader.give_up()
    if item.error is not None:
        raise item.error


class _Reader(Generic[Chunk]):
    def __init__(self, begin: Callable[[], Stream[Chunk]]) -> None:
        self._begin = begin
        self._stream: Stream[Chunk] | None = None
        self._unwanted = threading.Event()
        self.queue: queue.SimpleQueue[Chunk | _Ended] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="model reply", daemon=True).start()

    def give_up(self) -> None:
        """Let the thread end at its next byte, or by its own read timeout."""
        self._unwanted.set()
        if self._stream is not None:
            with contextlib.suppress(Exception):
                self._stream.close()

    def _read(self) -> None:
        try:
            self._stream = self._begin()
            with contextlib.closing(self._stream):
                for chunk in self._stream:
                    if self._unwanted.is_set():
                        return
                    self.queue.put(chunk)
        except Exception as error:  # raised where the reply is waited for
            self.queue.put(_Ended(error))
        else:
            self.queue.put(_Ended())


def stalled(retry_policy: ModelRetryPolicy) -> TransientError:
    """The error for a reply of which nothing came for too long."""
    return TransientError(f"the reply stalled: nothing came for {retry_policy.stall_seconds:g} s")


def _next(reader: _Reader[Chunk], retry_policy: ModelRetryPolicy, end: float) -> Chunk | _Ended:
    whole = end - time.monotonic()
    left = seconds_left()
    try:
        return reader.queue.get(timeout=max(min(retry_policy.stall_seconds, whole, left), 0.0))
    except queue.Empty:
        pass
    if left <= min(retry_policy.stall_seconds, whole):
        raise time_is_up()
    if whole <= retry_policy.stall_seconds:
        raise TransientError(f"no whole reply came within {retry_policy.reply_seconds:g} s")
    raise stalled(retry_policy)
