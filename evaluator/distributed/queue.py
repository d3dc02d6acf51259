"""Queues what is to be done: once, by ids that are the same for the same work."""

from __future__ import annotations

import enum
import hashlib
import logging
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from redis import Redis
from redis.client import Pipeline
from rq import Queue
from rq.command import send_stop_job_command
from rq.exceptions import InvalidJobOperation, NoSuchJobError
from rq.job import Job, JobStatus
from rq.scripts import UNIQUE_ENQUEUE_SCRIPT
from rq.serializers import JSONSerializer
from rq.utils import now, utcformat

from evaluator.distributed.connections import answers

BATCH: Final = "batch"
"""The queue of tasks without an affinity; `batch:AFFINITY` are the others'."""
_KEPT_SECONDS: Final = 60
_PLAIN = re.compile(r"[A-Za-z0-9-]{1,64}")
_log = logging.getLogger(__name__)


class TaskStatus(enum.Enum):
    """What Redis knows of a task."""

    UNKNOWN = "unknown"
    WAITS = "waits"
    RUNS = "runs"
    LOST = "lost"
    ENDED = "ended"


class QueuedTask(Protocol):
    """A task and the thing that it is about; the same task twice is one."""

    @property
    def function(self) -> str:
        """The import path of what is called, with what the task is about."""

    @property
    def about(self) -> str:
        """The thing's name."""

    @property
    def id(self) -> str:
        """An id that RQ takes (see `task_id`)."""

    @property
    def queue(self) -> str:
        """The name of the queue in which it waits."""


def task_id(function: str, about: str) -> str:
    """An id that RQ takes: letters, digits and dashes; readable where the thing's name is."""
    name = function.rpartition(".")[2].partition("_")[0]
    plain = _PLAIN.fullmatch(about)
    return f"{name}-{about if plain else hashlib.sha256(about.encode()).hexdigest()[:40]}"


def alive_key(task_id: str) -> str:
    """The key that is there while a living worker has a task in hand."""
    return f"fixgate:alive:{task_id}"


class TaskQueue:
    """Tasks by their ids. Methods raise redis.ConnectionError or TimeoutError.

    `seconds` gives how long a task of a queue may take.
    """

    def __init__(self, connection: Redis, seconds: Callable[[str], int]) -> None:
        self.connection = connection
        self._seconds = seconds
        self._queues: dict[str, Queue] = {}
        self._templates: dict[tuple[str, str], Mapping[str, str | int | bytes]] = {}

    def add(self, task: QueuedTask) -> bool:
        """Queue a task; False where it is known already, in whatever state."""
        return self.add_all([task]) == [True]

    def add_all(self, tasks: Sequence[QueuedTask]) -> list[bool]:
        """Queue tasks in one round trip, as `add` does each of them."""
        names = sorted({task.queue for task in tasks})
        with self.connection.pipeline(transaction=False) as together:
            for name in names:
                together.sadd(Queue.redis_queues_keys, self.queue(name).key)
            for task in tasks:
                self._add(task, together)
            return [bool(is_new) for is_new in together.execute()[len(names) :]]

    def add_again(self, task: QueuedTask) -> None:
        """Queue a task that ended, or was lost, anew."""
        self.forget(task)
        self.add(task)

    def end(self, task: QueuedTask) -> None:
        """Kill what runs, take out what waits."""
        if self.status(task) is not TaskStatus.RUNS:
            self.forget(task)
            return
        try:
            send_stop_job_command(self.connection, task.id, serializer=JSONSerializer)
        except (NoSuchJobError, InvalidJobOperation):
            _log.info("%s ended before it was stopped", task.id)

    def forget(self, task: QueuedTask) -> None:
        """Take a task out, whatever is known of it; a process that has it in hand goes on."""
        queue = self.queue(task.queue)
        with self.connection.pipeline() as together:
            together.lrem(queue.key, 0, task.id)
            together.lrem(queue.intermediate_queue_key, 0, task.id)
            together.zrem(queue.failed_job_registry.key, task.id)
            together.delete(Job.key_for(task.id))
            together.execute()

    def status(self, task: QueuedTask) -> TaskStatus:
        """How it stands with a task.

        Lost is what was taken by a worker of which nothing is heard; for a moment that is also true
        of every task that a worker just takes, so look twice.
        """
        if self.connection.exists(alive_key(task.id)):
            return TaskStatus.RUNS
        try:
            job = Job.fetch(task.id, connection=self.connection, serializer=JSONSerializer)
            status = job.get_status(refresh=False)
        except (NoSuchJobError, InvalidJobOperation):
            return TaskStatus.UNKNOWN
        if status in (JobStatus.QUEUED, JobStatus.STARTED):
            waits = self.queue(task.queue).get_job_position(task.id) is not None
            return TaskStatus.WAITS if waits else TaskStatus.LOST
        return TaskStatus.ENDED

    def answers(self) -> bool:
        """Whether Redis answers."""
        return answers(self.connection)

    def queue(self, name: str) -> Queue:
        """RQ's own of a queue."""
        if name not in self._queues:
            self._queues[name] = Queue(name, connection=self.connection, serializer=JSONSerializer)
        return self._queues[name]

    def _add(self, task: QueuedTask, together: Pipeline) -> None:
        """What `Queue.enqueue(..., unique=True)` of RQ does, in four round trips."""
        fields = {
            **self._fields(task.function, task.queue),
            "data": _data(task.function, task.about),
            "description": task.id,
            "created_at": (moment := utcformat(now())),
            "enqueued_at": moment,
        }
        given = [part for pair in fields.items() for part in pair]
        keys = (Job.key_for(task.id), self.queue(task.queue).key)
        together.eval(UNIQUE_ENQUEUE_SCRIPT, 2, *keys, task.id, "R", -1, *given)

    def _fields(self, function: str, name: str) -> Mapping[str, str | int | bytes]:
        """What RQ keeps of a task of a queue; making it takes longer than all else of `_add`."""
        if (function, name) not in self._templates:
            job = self.queue(name).create_job(
                function,
                timeout=self._seconds(name),
                result_ttl=0,
                failure_ttl=_KEPT_SECONDS,
            )
            found = {field: value for field, value in job.to_dict().items() if value is not None}
            self._templates[function, name] = found
        return self._templates[function, name]


def _data(function: str, about: str) -> bytes:
    """As `rq.job.Job.data` is kept: function, instance, arguments, arguments by name."""
    told = JSONSerializer.dumps((function, None, (about,), {}))  # type: ignore[no-untyped-call]
    return zlib.compress(told, level=1)
