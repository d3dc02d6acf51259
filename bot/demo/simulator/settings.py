"""Where and when a simulated GitHub is, its limits, and what goes wrong with it."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass
class Clock:
    """The time of the simulated GitHub, which may be put forward."""

    offset: timedelta = timedelta()

    def now(self) -> datetime:
        """The time, to the second as GitHub gives it."""
        return (datetime.now(UTC) + self.offset).replace(microsecond=0)

    def seconds(self) -> float:
        """The same in seconds since 1970, exact."""
        return time.time() + self.offset.total_seconds()


@dataclass(frozen=True)
class Site:
    """The addresses of the pages, of the REST API and of GraphQL."""

    web: str
    api: str
    graphql: str
    enterprise: bool


@dataclass
class ApiLimits:
    """GitHub's published limits; tests may lower them.

    See https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api and
    https://docs.github.com/webhooks/using-webhooks/best-practices-for-using-webhooks.
    """

    requests_an_hour: int = 5_000
    anonymous_requests_an_hour: int = 60
    concurrent: int = 100
    points_a_minute: int = 900
    contents_a_minute: int = 80
    contents_an_hour: int = 500
    webhook_seconds: float = 10.0
    webhook_bytes: int = 25_000_000
    token_seconds: float = 3_600.0


@dataclass
class Faults:
    """Shares (0 to 1) of requests and deliveries with which something goes wrong.

    All chances are drawn from one generator with the given seed.

    Requests: answered with 500 or 502 before anything is done (`errors`), with 403 or 429 and
    `retry-after` (`limited`), late (`slow`), connection closed before anything is done (`dropped`),
    or after it was done (`lost`: the effect stays, the answer does not arrive).
    Deliveries: sent twice (`duplicated`), changed in order with the next one (`reordered`), late
    (`delayed`), or not sent at all and recorded as failed (`undelivered`).
    """

    seed: int = 0
    errors: float = 0.0
    limited: float = 0.0
    retry_after: int = 1
    slow: float = 0.0
    slow_seconds: float = 1.0
    dropped: float = 0.0
    lost: float = 0.0
    duplicated: float = 0.0
    reordered: float = 0.0
    delayed: float = 0.0
    delay_seconds: float = 1.0
    undelivered: float = 0.0


class Chance:
    """Draws from one seeded generator; the same seed and the same order give the same faults."""

    def __init__(self, faults: Faults) -> None:
        """Start with some faults."""
        self._lock = threading.Lock()
        self.use(faults)

    def use(self, faults: Faults) -> None:
        """Exchange the faults, and start again at their seed."""
        self.faults = faults
        self._random = random.Random(faults.seed)  # noqa: S311 - not for secrets

    def happens(self, share: float) -> bool:
        """Whether a thing of this share (0 to 1) happens now; nothing is drawn for 0."""
        if share <= 0:
            return False
        with self._lock:
            return self._random.random() < share

    def pick(self, *options: int) -> int:
        """One of some numbers."""
        with self._lock:
            return self._random.choice(options)
