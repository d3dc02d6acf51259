"""Queues what is to be done: once, by ids that are the same for the same work."""

from __future__ import annotations

import enum
import hashlib
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from redis import Redis
from redis.client import Pipeline
from rq import Queue
from rq.command import send_stop_job_command
from rq.exceptions import InvalidJobOperation, NoSuchJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer
from rq.utils import as_text, now, utcformat

from evaluator.distributed.connections import answers

BATCH: Final = "batch"
"""The queue of tasks without an affinity; `batch:AFFINITY` are the others'."""
_KEPT_SECONDS: Final = 60
_PLAIN = re.compile(r"[A-Za-z0-9-]{1,64}")
_ENQUEUE: Final = """
-- KEYS: the set of queues, the queue, a key for each task.
-- ARGV: how many names and values all tasks have in common, these, then id and data of each task.
local common, new = {}, {}
local count = tonumber(ARGV[1])
for at = 1, count do common[at] = ARGV[1 + at] end
for at = 3, #KEYS do
    local id, data = ARGV[count + 2 * at - 4], ARGV[count + 2 * at - 3]
    if redis.call("EXISTS", KEYS[at]) == 0 then
        redis.call("HSET", KEYS[at], "data", data, "description", id, unpack(common))
        redis.call("RPUSH", KEYS[2], id)
        new[#new + 1] = id
    end
end
redis.call("SADD", KEYS[1], KEYS[2])
return new
"""
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
        return bool(self.add_all([task]))

    def add_all(self, tasks: Sequence[QueuedTask]) -> set[str]:
        """Queue tasks in one round trip, as `add` does each of them; the ids of the new ones."""
        alike: dict[tuple[str, str], list[QueuedTask]] = {}
        for task in tasks:
            alike.setdefault((task.function, task.queue), []).append(task)
        with self.connection.pipeline(transaction=False) as together:
            for (function, name), some in alike.items():
                self._add(function, name, some, together)
            return {as_text(new) for answer in together.execute() for new in answer}

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

    def _add(
        self, function: str, name: str, tasks: Sequence[QueuedTask], together: Pipeline
    ) -> None:
        """What `Queue.enqueue(..., unique=True)` of RQ does, in four round trips for each task."""
        fields = {**self._fields(function, name), "created_at": (moment := utcformat(now()))}
        common = [part for pair in fields.items() for part in pair] + ["enqueued_at", moment]
        ids = [task.id for task in tasks]
        keys = [Queue.redis_queues_keys, self.queue(name).key, *map(Job.key_for, ids)]
        own = [part for task in tasks for part in (task.id, _data(function, task.about))]
        together.eval(_ENQUEUE, len(keys), *keys, len(common), *common, *own)

    def _fields(self, function: str, name: str) -> Mapping[str, str | int | bytes]:
        """What RQ keeps of all tasks of a queue alike; making it takes longer than all of `_add`.

        RQ reads an empty field as one that is not there, and what is left out costs nothing.
        """
        if (function, name) not in self._templates:
            job = self.queue(name).create_job(
                function,
                timeout=self._seconds(name),
                result_ttl=0,
                failure_ttl=_KEPT_SECONDS,
            )
            found = {
                field: value
                for field, value in job.to_dict().items()
                if value not in (None, "") and field not in ("data", "description")
            }
            self._templates[function, name] = found
        return self._templates[function, name]


def _data(function: str, about: str) -> bytes:
    """As `rq.job.Job.data` is kept: function, instance, arguments, arguments by name.

    RQ compresses it, and takes it as it is, too; it is too short for that to be worth the time.
    """
    dumped: bytes = JSONSerializer.dumps((function, None, (about,), {}))  # type: ignore[no-untyped-call]
    return dumped
