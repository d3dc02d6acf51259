"""Whether something goes wrong this time."""

from __future__ import annotations

import random
import threading

from bot.demo.simulator.settings import Faults


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
