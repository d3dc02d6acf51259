"""A store, a queue on a real Redis, and worker processes that can be killed."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from bot.github.types import RepositoryId, Webhook
from bot.jobs.types import JobKind, JobRequest
from bot.queue import JobQueue
from bot.queue.sweeper import Sweeper
from bot.store import Store
from evaluator.distributed.connections import failing_fast
from tests.conftest import RedisServer
from tests.waiting import wait_for

STAND_IN = Path(__file__).with_name("stand_in.py")


class Bench:
    """What a test works with."""

    def __init__(self, folder: Path, redis: RedisServer) -> None:
        self.folder, self.redis = folder, redis
        self.store = Store(f"sqlite:///{folder / 'fixgate.db'}")
        self.store.database.migrate()
        self.queue = JobQueue(failing_fast(redis.url), 60)
        self.sweeper = Sweeper(self.store, self.queue)
        self.workers: list[subprocess.Popen[bytes]] = []

    def worker(self, *queues: str) -> subprocess.Popen[bytes]:
        arguments = [sys.executable, str(STAND_IN), str(self.folder), self.redis.url, *queues]
        with (self.folder / "errors").open("ab") as errors:
            self.workers.append(subprocess.Popen(arguments, stderr=errors))
        return self.workers[-1]

    def deliver(self, delivery: str, *, queued: bool = True, **payload: object) -> None:
        webhook = Webhook(delivery, "test", "", json.dumps(payload))
        if self.store.deliveries.record(webhook) and queued:
            self.queue.deliver(delivery)

    def notes(self, what: str = "") -> list[str]:
        """What the stand-in's tasks noted, without their processes."""
        path = self.folder / "notes"
        lines = path.read_text().splitlines() if path.exists() else []
        return [line.rpartition(" ")[0] for line in lines if line.startswith(what)]

    def release(self) -> None:
        """Let long jobs end."""
        (self.folder / "released").touch()

    def errors(self) -> str:
        """What the workers wrote to standard error."""
        return (self.folder / "errors").read_text()

    def process_of(self, what: str) -> psutil.Process:
        lines = (self.folder / "notes").read_text().splitlines()
        return psutil.Process(int(next(ln for ln in lines if ln.startswith(what)).split()[-1]))

    def state(self, key: str) -> str:
        row = self.store.jobs.get(key)
        return "" if row is None else row.state

    def swept_until(self, done: Callable[[], object], seconds: float = 120.0) -> None:
        """Sweep again and again until something is so."""

        def swept() -> object:
            self.sweeper.sweep()
            return done()

        wait_for(swept, seconds, every=0.3)

    def close(self) -> None:
        for worker in self.workers:
            for child in _children(worker.pid):
                with contextlib.suppress(psutil.NoSuchProcess):  # a task may just end
                    child.kill()
            worker.kill()
            worker.wait()
        self.store.database.engine.dispose()
        self.queue.connection.close()


def _children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def request_for(name: str, number: int = 1, head: str = "a" * 40) -> JobRequest:
    return JobRequest(JobKind.VERIFY, RepositoryId(1, f"test/{name}"), number, head)


@pytest.fixture
def bench(tmp_path: Path, redis_server: RedisServer) -> Iterator[Bench]:
    made = Bench(tmp_path, redis_server)
    yield made
    made.close()
