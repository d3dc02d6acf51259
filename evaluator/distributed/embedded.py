"""A Redis and some workers that live as long as the command that needs them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from evaluator.distributed.batch_worker import BatchWorkerSettings
from evaluator.distributed.processes import Child, Supervisor
from evaluator.distributed.redis_server import redis_child, wait_for_redis
from evaluator.storage.typed import as_json

SETTINGS: Final = "FIXGATE_BATCH_WORKER"
"""The variable that holds a worker's settings, as JSON."""


@contextlib.contextmanager
def embedded_queue(
    settings: Callable[[str], BatchWorkerSettings], workers: int
) -> Iterator[tuple[str, Supervisor]]:
    """The address of a Redis of this user alone, and who looks after it and so many workers.

    All of them end with the `with`, and are killed with this process. Raises InputError.
    """
    with tempfile.TemporaryDirectory(prefix="fixgate-") as place, Supervisor() as children:
        socket = Path(place, "redis.sock")
        children.start(redis_child(Path(place), socket, Path(place, "redis.log")))
        url = f"unix://{socket}"
        wait_for_redis(url, children)
        for child in _workers(settings(url), workers):
            children.start(child)
        yield url, children


def _workers(settings: BatchWorkerSettings, number: int) -> Iterator[Child]:
    environment = {**os.environ, SETTINGS: json.dumps(as_json(settings))}
    for worker in range(number):
        arguments = (sys.executable, "-m", "evaluator.distributed")
        name = f"worker {worker + 1}"
        yield Child(name, arguments, environment, orphaned=signal.SIGKILL)
