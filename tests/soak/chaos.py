"""What goes wrong, by chance, while people work."""

from __future__ import annotations

import contextlib
import random
import signal
import time
from collections import Counter
from dataclasses import dataclass, fields, replace

import psutil

from bot.demo.simulator import Faults, GitHubSimulator
from tests.soak.deployment import Deployment

ONE_IN_FIVE = Faults(
    errors=0.07,
    limited=0.05,
    dropped=0.03,
    lost=0.028,
    slow=0.022,
    slow_seconds=2.0,
    duplicated=0.12,
    reordered=0.11,
    delayed=0.06,
    delay_seconds=4.0,
    undelivered=0.055,
)
"""One request in five goes wrong; no two shares are the same, so that they can be counted."""
CALM = replace(ONE_IN_FIVE, errors=0.02, limited=0.011, dropped=0.012, lost=0.013, slow=0.01)
STORM = replace(ONE_IN_FIVE, errors=0.4, dropped=0.1, lost=0.09, limited=0.08)
RESTLESS = replace(ONE_IN_FIVE, undelivered=0.0, delayed=0.0)
"""As bad, but what is sent arrives: so that an end can come."""

WEIGHTS = {
    "long worker killed": 30,
    "quick worker killed": 16,
    "task killed": 14,
    "sweeper killed": 5,
    "minter killed": 5,
    "web killed": 6,
    "Redis restarted": 6,
    "Redis killed": 4,
    "store locked": 7,
    "store restarted": 7,
    "GitHub changes its mood": 8,
}


def count_faults(github: GitHubSimulator) -> Counter[str]:
    """Counts, from now on, what the simulated GitHub does wrong."""
    counted: Counter[str] = Counter()
    chance = github.world.chance
    happens = chance.happens

    def noting(share: float) -> bool:
        happened = happens(share)
        if happened:
            names = [
                one.name for one in fields(Faults) if getattr(chance.faults, one.name) == share
            ]
            counted[names[0] if names else "changed"] += 1
        return happened

    chance.happens = noting  # type: ignore[method-assign]
    return counted


@dataclass
class Chaos:
    """Kills and restarts by chance; `done` counts what was done."""

    deployment: Deployment
    github: GitHubSimulator
    chance: random.Random

    def __post_init__(self) -> None:
        self.done: Counter[str] = Counter()
        self._lock = contextlib.ExitStack()
        self._locked_until = 0.0

    def act(self) -> None:
        """Something goes wrong, unless nothing of this kind may happen now."""
        what = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        if self._do(what):
            self.done[what] += 1

    def look(self) -> None:
        """Give back what was held long enough."""
        if self._locked_until and time.monotonic() > self._locked_until:
            self.end()

    def end(self) -> None:
        """Hold nothing any more."""
        self._lock.close()
        self._locked_until = 0.0

    def _do(self, what: str) -> bool:
        if what == "task killed":
            return self._kill_task()
        if what == "store locked":
            return self._lock_store()
        if what == "store restarted":
            return self._signal("postgresql", signal.SIGQUIT)
        if what == "Redis restarted":
            return self._signal("redis", signal.SIGTERM)
        if what == "GitHub changes its mood":
            moods = (ONE_IN_FIVE, ONE_IN_FIVE, CALM, STORM)
            self.github.use(replace(self.chance.choice(moods), seed=self.chance.randrange(10**6)))
            return True
        return self._signal(what.partition(" ")[0].lower(), signal.SIGKILL)

    def _signal(self, kind: str, number: int) -> bool:
        names = self.deployment.names(kind)
        if not names:
            return False
        self.deployment.kill(self.chance.choice(names), number)
        return True

    def _kill_task(self) -> bool:
        horses = self.deployment.horses()
        if not horses:
            return False
        with contextlib.suppress(psutil.NoSuchProcess):
            self.chance.choice(horses).kill()
        return True

    def _lock_store(self) -> bool:
        if self._locked_until or self.deployment.database != "sqlite":
            return False
        self._lock.enter_context(self.deployment.locked())
        seconds = self.chance.choices((1, 4, 9, 35), (6, 4, 2, 1))[0]
        self._locked_until = time.monotonic() + seconds
        return True
