"""Rate limits, primary and secondary.

See https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bot.demo.simulator.errors import RefusedError
from bot.demo.simulator.settings import ApiLimits, Clock

_HOUR, _MINUTE = 3_600.0, 60.0
_SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
)


@dataclass
class Window:
    """What somebody used of one resource in the hour that ends at `reset` (seconds since 1970)."""

    resource: str
    limit: int
    reset: int
    used: int = 0

    @property
    def remaining(self) -> int:
        """What is left."""
        return max(self.limit - self.used, 0)

    def headers(self) -> dict[str, str]:
        """How an answer shows it."""
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(self.reset),
            "X-RateLimit-Used": str(min(self.used, self.limit)),
            "X-RateLimit-Resource": self.resource,
        }


@dataclass
class _Recent:
    points: deque[tuple[float, int]] = field(default_factory=deque)
    contents: deque[float] = field(default_factory=deque)
    under_way: int = 0


class Meter:
    """Counts requests of each caller."""

    def __init__(self, limits: ApiLimits, clock: Clock) -> None:
        """Nothing is used yet."""
        self._limits, self._clock = limits, clock
        self._lock = threading.Lock()
        self._windows: dict[tuple[str, str], Window] = {}
        self._recent: dict[str, _Recent] = {}

    def window(self, caller: str, resource: str = "core") -> Window:
        """What a caller used in this hour."""
        now = self._clock.seconds()
        key = (caller, resource)
        if key not in self._windows or self._windows[key].reset <= now:
            self._windows[key] = Window(resource, self._limit(caller), int(now + _HOUR))
        return self._windows[key]

    def _limit(self, caller: str) -> int:
        anonymous = caller == "anonymous"
        limits = self._limits
        return limits.anonymous_requests_an_hour if anonymous else limits.requests_an_hour

    def count(self, caller: str, resource: str, points: int, *, content: bool) -> Window:
        """Take one request into account. Raises RefusedError (403) beyond a limit."""
        with self._lock:
            window = self.window(caller, resource)
            if window.remaining == 0:
                problem = f"API rate limit exceeded for {caller}."
                raise RefusedError(403, problem, headers=window.headers())
            window.used += 1
            self._count_recent(caller, points, content, window)
            return window

    @contextmanager
    def concurrent(self, caller: str) -> Iterator[None]:
        """Raises RefusedError (403) where too many requests are under way."""
        with self._lock:
            recent = self._recent.setdefault(caller, _Recent())
            if recent.under_way >= self._limits.concurrent:
                raise _too_much(_MINUTE, {})
            recent.under_way += 1
        try:
            yield
        finally:
            with self._lock:
                recent.under_way -= 1

    def _count_recent(self, caller: str, points: int, content: bool, window: Window) -> None:
        recent = self._recent.setdefault(caller, _Recent())
        now = self._clock.seconds()
        recent.points.append((now, points))
        while recent.points[0][0] <= now - _MINUTE:
            recent.points.popleft()
        if sum(cost for _, cost in recent.points) > self._limits.points_a_minute:
            raise _too_much(_MINUTE, window.headers())
        if content:
            self._count_content(recent, now, window)

    def _count_content(self, recent: _Recent, now: float, window: Window) -> None:
        recent.contents.append(now)
        while recent.contents[0] <= now - _HOUR:
            recent.contents.popleft()
        lately = sum(moment > now - _MINUTE for moment in recent.contents)
        if lately > self._limits.contents_a_minute:
            raise _too_much(_MINUTE, window.headers())
        if len(recent.contents) > self._limits.contents_an_hour:
            raise _too_much(_HOUR, window.headers())


def _too_much(seconds: float, headers: dict[str, str]) -> RefusedError:
    return RefusedError(403, _SECONDARY, headers={**headers, "Retry-After": str(int(seconds))})
