"""The process that does the tasks of batches, those first whose environments its host has."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from evaluator.checkout.scratch import Scratch, fastest_root
from evaluator.distributed.queue import BATCH
from evaluator.distributed.records import DO
from evaluator.distributed.shared_files import shared_files
from evaluator.distributed.tasks import Workplace, prepare
from evaluator.distributed.worker import HeartbeatSettings, TaskWorker, work
from evaluator.errors import SandboxError
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.workspace import WorkspaceSettings

_IDLE_SECONDS: Final = 1


@dataclass(frozen=True)
class BatchWorkerSettings:
    """What a worker needs of its host; the rest comes with each task.

    `kinds` names the functions that make items (see `evaluator.distributed.tasks.MakeGroup`), and
    `shared` is where commands take from what lies beside results: a path, or the URL of a bucket.
    """

    redis_url: str
    shared: str
    kinds: Mapping[str, str]
    workspace: WorkspaceSettings
    sandbox: str = "auto"
    image: str = ""
    runtime: str = ""
    beat_seconds: int = 5

    def limited(self, limits: ResourceLimits) -> WorkspaceSettings:
        """The settings of a task's workspace: its limits come with it."""
        return dataclasses.replace(self.workspace, limits=limits)


class BatchWorker(TaskWorker):
    """Prefers the affinities that it has worked on, the latest first; then where most waits."""

    def __init__(self, connection: Redis, heartbeat: HeartbeatSettings) -> None:
        self._known: list[str] = []
        super().__init__(connection, [BATCH], frozenset({DO}), lambda: None, heartbeat)

    @property
    def dequeue_timeout(self) -> int:
        """Seconds after which it looks for queues that are new, and for those that are longest."""
        return _IDLE_SECONDS

    @property
    def _ordered_queues(self) -> list[Queue]:
        """RQ asks for it whenever it takes a task."""
        return [
            Queue(name, connection=self.connection, serializer=JSONSerializer)
            for name in (*self._preferred(), BATCH)
        ]

    @_ordered_queues.setter
    def _ordered_queues(self, queues: Sequence[Queue]) -> None:
        """RQ's own order is not kept."""

    def reorder_queues(self, reference_queue: Queue) -> None:
        """Remember what was worked on."""
        name = reference_queue.name
        self._known = [name, *(known for known in self._known if known != name)]

    def _preferred(self) -> list[str]:
        lengths = self._lengths()
        others = sorted(lengths.keys() - set(self._known), key=lambda name: -lengths[name])
        return [name for name in self._known if name in lengths and name != BATCH] + others

    def _lengths(self) -> Mapping[str, int]:
        """How many tasks wait, by queue."""
        keys = [key for key in self._all_queues() if key.startswith(f"{BATCH}:")]
        with self.connection.pipeline(transaction=False) as together:
            for name in keys:
                together.llen(f"{Queue.redis_queue_namespace_prefix}{name}")
            found = together.execute()
        return {name: length for name, length in zip(keys, found, strict=True) if length}

    def _all_queues(self) -> Iterator[str]:
        for key in self.connection.smembers(Queue.redis_queues_keys):
            text = key.decode() if isinstance(key, bytes) else key
            yield text.removeprefix(Queue.redis_queue_namespace_prefix)


def serve_batches(settings: BatchWorkerSettings) -> None:
    """Do tasks until SIGTERM or SIGINT, as `evaluator.distributed.worker.work` does.

    Raises SandboxError where no sandbox works here, and InputError where `shared` cannot be
    written.
    """
    sandbox = choose_sandbox(settings.sandbox, image=settings.image, runtime=settings.runtime)
    shared = shared_files(settings.shared, settings.workspace.cache)
    # What speaks to buckets does not survive a fork, and each task is one: its threads begin apart.
    with ProcessPoolExecutor(1) as apart:
        apart.submit(shared.check).result()
    workplace = Workplace(settings.redis_url, settings.kinds, settings.limited, sandbox, shared)
    workplace.load()
    prepare(workplace)
    shared.forget_old()
    remove_left_behind(settings.sandbox, settings.workspace.cache)
    heartbeat = HeartbeatSettings.of(settings.beat_seconds)
    gc.freeze()  # what is here now is shared with the processes of tasks, and not copied
    work(settings.redis_url, lambda connection: BatchWorker(connection, heartbeat))


def remove_left_behind(sandbox: str, cache: Path) -> None:
    """Remove the containers and work trees of processes that are no more."""
    if sandbox in ("auto", "docker"):
        # Imported late, as it takes so long.
        from evaluator.sandbox.engine import engine, reap

        with contextlib.suppress(SandboxError), engine() as client:
            reap(client)
    Scratch(fastest_root(cache).absolute())
