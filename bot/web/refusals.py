"""Refused deliveries: each is counted, and logged now and then, so that nobody fills the log."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

from prometheus_client import Counter

QUIET_SECONDS: Final = 10.0
"""Between two lines on refusals for the same reason."""
DELIVERY_ID: Final = re.compile(r"[A-Za-z0-9-]{1,64}")
_log = logging.getLogger(__name__)


class RefusalLog:
    """Notes what was refused. Threads may share it."""

    def __init__(self, counter: Counter, clock: Callable[[], float] = time.monotonic) -> None:
        self._counter, self._clock = counter, clock
        self._lock = threading.Lock()
        self._logged_at: dict[str, float] = {}
        self._unlogged: dict[str, int] = {}

    def note(
        self,
        reason: str,
        words: str,
        headers: Mapping[bytes, bytes],
        client: tuple[str, int] | None,
    ) -> None:
        """Count a refused delivery under a short reason, and log it in words."""
        self._counter.labels(reason).inc()
        unlogged = self._due(reason)
        if unlogged is None:
            return
        given = headers.get(b"x-github-delivery", b"").decode("latin-1")
        delivery = given if DELIVERY_ID.fullmatch(given) else "without a valid id"
        address = client[0] if client else "a socket"
        more = f", and {unlogged} more like it before" if unlogged else ""
        _log.warning("refused a delivery (%s) from %s: %s%s", delivery, address, words, more)

    def _due(self, reason: str) -> int | None:
        """How many were passed over since the last line; None where this one is passed over."""
        with self._lock:
            now = self._clock()
            if now - self._logged_at.get(reason, -QUIET_SECONDS) < QUIET_SECONDS:
                self._unlogged[reason] = self._unlogged.get(reason, 0) + 1
                return None
            self._logged_at[reason] = now
            return self._unlogged.pop(reason, 0)
