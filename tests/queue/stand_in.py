"""A worker process whose tasks do what a test says: `python stand_in.py FOLDER REDIS_URL QUEUE...`.

The payload of a delivery says which jobs to plan. A job does what its repository is called: one
that is `long` goes on until there is a file `released`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.github.types import RepositoryId, Webhook
from bot.handlers.planning import plan
from bot.jobs.types import JobKind, JobRequest, JobState
from bot.queue import JobQueue, QueueName
from bot.queue.tasks import TaskFunctions
from bot.queue.worker import work
from bot.settings import Settings, settings_from
from bot.store import Store
from evaluator.distributed.connections import retrying
from evaluator.distributed.worker import HeartbeatSettings


@dataclass(frozen=True)
class Bench:
    store: Store
    queue: JobQueue
    data: Path

    def note(self, what: str) -> None:
        """A line that a test reads; one write, so that lines of several processes stay whole."""
        with (self.data / "notes").open("a") as file:
            file.write(f"{what} {os.getpid()}\n")


def services(settings: Settings) -> Bench:
    if (settings.data / "broken").exists():
        raise LookupError("every task dies of this")
    store = Store(settings.database_url)
    return Bench(store, JobQueue(retrying(settings.redis_url), 60), settings.data)


def handle(webhook: Webhook, bench: Bench) -> None:
    bench.note(f"handle {webhook.delivery}")
    payload: dict[str, Any] = json.loads(webhook.payload)
    if payload.get("fails"):
        raise RuntimeError("as it was asked to")
    for name, number, head in payload.get("plans", ()):
        repository = RepositoryId(1, f"test/{name}")
        plan(bench.store, bench.queue, JobRequest(JobKind.VERIFY, repository, number, head))


def run(bench: Bench, key: str) -> None:
    request = bench.store.jobs.begin(key)
    if request is None:
        return
    bench.note(f"begin {key}")
    what = request.repository.full_name.partition("/")[2]
    if what == "dies":
        os._exit(9)
    until = time.monotonic() + (120.0 if what == "long" else 0.0)
    while time.monotonic() < until and not (bench.data / "released").exists():
        time.sleep(0.05)
    bench.store.jobs.finish(key, JobState.DONE)
    bench.note(f"end {key}")


def conclude(bench: Bench, key: str) -> None:
    bench.note(f"conclude {key}")
    bench.store.jobs.mark_reported(key)


def canary(bench: Bench, queue: str) -> None:
    """Nothing more than what all tasks do."""


def main(folder: str, redis_url: str, *queues: str) -> None:
    environment = {"FIXGATE_DATA_DIRECTORY": folder, "FIXGATE_REDIS_URL": redis_url}
    names = {
        name: f"stand_in.{name}" for name in ("services", "handle", "run", "conclude", "canary")
    }
    task_work = TaskFunctions(settings_from(environment), **names)
    names_of_queues = [QueueName(name) for name in queues]
    work(redis_url, names_of_queues, task_work, heartbeat=HeartbeatSettings.of(1))


if __name__ == "__main__":
    main(*sys.argv[1:])
