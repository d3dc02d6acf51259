"""A long run of the whole App while everything around it fails: `make soak`.

A simulated GitHub, a real Redis, a real database, and every part of the App as a process of its
own. People open issues, push, ask and press; meanwhile workers are killed, Redis and the store are
restarted or locked, GitHub fails one request in five, and deliveries come twice, late, in another
order or not at all. In the end it has to be quiet, and everything that was asked has one answer.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
from sqlalchemy.exc import SQLAlchemyError

from bot.demo.simulator import ApiLimits, AppSecrets, GitHubSimulator
from bot.github.manifest import load_manifest
from evaluator.checkout.scratch import fastest_root
from evaluator.storage.locks import DirectoryLock
from tests.ports import free_port
from tests.soak.chaos import ONE_IN_FIVE, RESTLESS, Chaos, count_faults
from tests.soak.deployment import Deployment, Size
from tests.soak.invariants import adopted, conclusions, undone, violations
from tests.soak.people import Town

_PR_SET_CHILD_SUBREAPER = 36
GENEROUS = ApiLimits(
    requests_an_hour=10**7,
    concurrent=1000,
    points_a_minute=10**7,
    contents_a_minute=10**6,
    contents_an_hour=10**7,
)
"""This is about faults; things happen here at a rate that GitHub itself would not allow."""


@dataclass(frozen=True)
class Plan:
    """What is to happen: how many events, how fast (seconds between two), how much goes wrong.

    `chaos` is how often something is killed, restarted or locked, for each event: so that a slow
    machine is not only busy with starting again what was killed.
    """

    events: int = 500
    seed: int = 1
    database: str = "sqlite"
    size: Size = Size()  # noqa: RUF009 - it is frozen
    event_seconds: float = 0.5
    chaos: float = 0.25
    most_jobs: int = 40
    most_deliveries: int = 80
    quiet_seconds: float = 900.0


@dataclass(frozen=True)
class Outcome:
    """What happened, and what is not as it should be."""

    counts: Mapping[str, Mapping[str, int]]
    seconds: float
    violations: list[str]


@contextlib.contextmanager
def _adopting() -> Iterator[None]:
    """Whatever its parent leaves behind becomes a child of this process, and is seen.

    For this long only, and those that ended are waited for: their remains would lie here for ever.
    """
    prctl, before = ctypes.CDLL(None).prctl, set(psutil.Process().children())
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        for child in set(psutil.Process().children()) - before:
            os.waitpid(child.pid, os.WNOHANG)


class Soak:
    """One run, in an empty folder."""

    def __init__(
        self, plan: Plan, folder: Path, tell: Callable[[object], None] = lambda _: None
    ) -> None:
        self._plan, self._folder, self._tell = plan, folder, tell
        self._chance = random.Random(plan.seed)
        self._deployment = Deployment(folder, free_port(), plan.size, plan.database)
        self._mine = {child.pid for child in psutil.Process().children()}

    @property
    def _cache(self) -> Path:
        return self._folder / "data" / "cache"

    def run(self) -> Outcome:
        """All of it. Raises TimeoutError where something does not even start."""
        with _adopting():
            return self._run()

    def _run(self) -> Outcome:
        began = time.monotonic()
        with GitHubSimulator(limits=GENEROUS) as github:
            self._town = Town(github, self._folder, self._chance)
            app = _register(github, self._deployment.port)
            self._deployment.start(github, app)
            try:
                return self._with(github, app, began)
            finally:
                self._deployment.end()

    def _with(self, github: GitHubSimulator, app: AppSecrets, began: float) -> Outcome:
        self._town.install(app)
        github.settle()
        faults = count_faults(github)
        chaos = Chaos(self._deployment, github, self._chance)
        github.use(replace(ONE_IN_FIVE, seed=self._plan.seed))
        self._live(chaos)
        chaos.end()
        github.use(replace(RESTLESS, seed=self._plan.seed))
        found = self._quiet(github)
        found += list(violations(self._town, self._deployment))
        found += list(adopted(self._mine.union(self._deployment.children.pids.values())))
        counts = self._counts(github, chaos, faults)
        self._deployment.end()
        found += [f"a work tree was left behind: {path}" for path in _left_behind(self._cache)]
        found += list(adopted(self._mine))
        return Outcome(counts, time.monotonic() - began, found)

    def _live(self, chaos: Chaos) -> None:
        """People and chaos at work, until there were enough events."""
        event_at = time.monotonic()
        while self._town.count < self._plan.events:
            self._deployment.children.look()
            chaos.look()
            if time.monotonic() > event_at and self._has_room():
                self._town.act()
                self._tell(self._town.count)
                event_at = self._later(self._plan.event_seconds)
                if self._chance.random() < self._plan.chaos:
                    chaos.act()
            time.sleep(0.05)

    def _later(self, seconds: float) -> float:
        return time.monotonic() + self._chance.expovariate(1 / seconds)

    def _has_room(self) -> bool:
        """Whether the App keeps up: otherwise every push would supersede all before it."""
        store = self._deployment.store
        try:
            jobs, deliveries = len(store.jobs.unfinished()), len(store.deliveries.waiting())
        except SQLAlchemyError:  # the store may be away just now
            return False
        return jobs < self._plan.most_jobs and deliveries < self._plan.most_deliveries

    def _quiet(self, github: GitHubSimulator) -> list[str]:
        """Wait until nothing is to be done, twice in a row; what is left then."""
        deadline = time.monotonic() + self._plan.quiet_seconds
        quiet = 0
        while time.monotonic() < deadline:
            self._deployment.children.look()
            try:
                left = undone(self._deployment.store, _guids(github))
            except SQLAlchemyError as error:  # it is just being restarted
                left = {str(error): 1}
            quiet = 0 if any(left.values()) else quiet + 1
            self._tell(left)
            if quiet == 3:
                return []
            time.sleep(1.0)
        return [f"it did not become quiet within {self._plan.quiet_seconds:.0f} s: {left}"]

    def _counts(
        self, github: GitHubSimulator, chaos: Chaos, faults: Counter[str]
    ) -> dict[str, dict[str, int]]:
        jobs = self._deployment.store.jobs.latest(limit=100_000)
        deliveries = github.deliveries
        statuses = Counter(f"{one.status // 100}xx" for one in github.exchanges)
        return {
            "events": dict(self._town.book.events),
            "went wrong": dict(chaos.done),
            "GitHub's faults": dict(faults),
            "requests to GitHub": dict(statuses),
            "deliveries": {
                "attempts": len(deliveries),
                "different": len(_guids(github)),
                "failed": sum(not one.succeeded for one in deliveries),
                "asked for again": sum(one.parcel.redelivery for one in deliveries),
            },
            "jobs": dict(Counter(f"{job.kind} {job.state}" for job in jobs)),
            "attempts at jobs": dict(Counter(str(job.attempts) for job in jobs)),
            "checks": dict(conclusions(self._town)),
        }


def _guids(github: GitHubSimulator) -> set[str]:
    """All that the App was to hear of."""
    return {one.parcel.guid for one in github.deliveries if one.parcel.event != "ping"}


def _register(github: GitHubSimulator, port: int) -> AppSecrets:
    manifest = load_manifest()
    return github.create_app(
        "fixgate",
        manifest["default_permissions"],
        manifest["default_events"],
        webhook_url=f"http://127.0.0.1:{port}/webhook",
        owner="alice",
        secret="of-a-soak-" + "x" * 24,
    )


def _left_behind(cache: Path) -> list[Path]:
    """Work trees that no living process holds, in the place that all share or below the cache."""
    found: list[Path] = []
    root = fastest_root(cache.absolute())
    if not root.is_dir():
        return found
    with DirectoryLock.waiting(root):  # so that none is just being made
        for place in root.glob("process-*"):
            with contextlib.suppress(OSError), DirectoryLock.at_once(place):
                found.append(place)
    return found
