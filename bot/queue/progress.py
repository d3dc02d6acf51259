"""Whether workers get tasks done: what became of the latest, by queue, kept in Redis.

An idle system has no tasks to judge by, so the sweeper queues a canary where nothing was done for
a while: a task that uses what all tasks use, and changes nothing. All times are Redis's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from redis import Redis

CANARY_SECONDS: Final = 60.0
"""A queue in which no task was done for so long gets a canary."""
OVERDUE_SECONDS: Final = 120.0
"""How long a canary, or any other task in its stead, may take until it is done."""
MOST_DEATHS: Final = 3
"""So many tasks may die one after the other while the queue is at work all the same."""


@dataclass(frozen=True)
class QueueProgress:
    """What is known of a queue: seconds since a task was done, and since a canary was asked for.

    None stands for never, and for no canary that is outstanding. `deaths` counts the tasks that
    died since one was done, `cause` says what the last of them died of. `busy` is whether a living
    worker has a task in hand.
    """

    done: float | None
    asked: float | None
    deaths: int
    cause: str
    busy: bool

    @property
    def wants_canary(self) -> bool:
        """Whether a canary is outstanding, or should be."""
        return self.asked is not None or self.done is None or self.done > CANARY_SECONDS

    @property
    def trouble(self) -> str:
        """Why no tasks get done, "" where they do as far as is known.

        A single task may take an hour, and single tasks may die: neither is trouble.
        """
        if self._is_well:
            return ""
        since = "yet" if self.done is None else f"for {self.done:.0f} s"
        died = f"{self.deaths} died, the last one of {self.cause}"
        return f"no task was done {since}: {died if self.deaths else 'no worker takes any'}"

    @property
    def _is_well(self) -> bool:
        overdue = self.done is None or (self.asked is not None and self.asked > OVERDUE_SECONDS)
        return not overdue or (self.busy and self.deaths < MOST_DEATHS)


class ProgressRecord:
    """Reads and writes the progress of one queue. All methods raise redis.RedisError."""

    def __init__(self, connection: Redis, queue: str) -> None:
        self._connection = connection
        self._key = f"fixgate:progress:{queue}"
        self._busy_key = f"fixgate:busy:{queue}"

    def done(self) -> None:
        """Note that a task was done."""
        now = self._now()
        with self._connection.pipeline() as together:
            together.delete(self._key)
            together.hset(self._key, "done", now)
            together.execute()

    def died(self, cause: str) -> None:
        """Note that a task died, and of what."""
        with self._connection.pipeline() as together:
            together.hincrby(self._key, "deaths", 1)
            together.hset(self._key, "cause", cause)
            together.execute()

    def busy(self, seconds: int) -> None:
        """Note that a task is in hand; that is believed for so many seconds."""
        self._connection.set(self._busy_key, 1, ex=seconds)

    def asked(self) -> None:
        """Note that a canary was asked for, unless one is outstanding."""
        self._connection.hsetnx(self._key, "asked", str(self._now()))

    def read(self) -> QueueProgress:
        """What is known now."""
        known = {_text(n): _text(v) for n, v in self._connection.hgetall(self._key).items()}
        now = self._now()
        ages = {name: now - float(known[name]) for name in ("done", "asked") if name in known}
        return QueueProgress(
            done=ages.get("done"),
            asked=ages.get("asked"),
            deaths=int(known.get("deaths", 0)),
            cause=known.get("cause", ""),
            busy=bool(self._connection.exists(self._busy_key)),
        )

    def _now(self) -> float:
        seconds, microseconds = self._connection.time()
        return float(seconds) + float(microseconds) / 1e6


def _text(part: bytes | str) -> str:
    return part.decode() if isinstance(part, bytes) else part
