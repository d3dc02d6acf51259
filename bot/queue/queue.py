"""Queues what is to be done: once, by ids that are the same for the same work.

Connections that answer somebody fail fast; those of workers try again.
"""

from __future__ import annotations

import enum
import hashlib
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redis import Redis
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.client import Pipeline
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry
from rq import Queue
from rq.command import send_stop_job_command
from rq.exceptions import InvalidJobOperation, NoSuchJobError
from rq.job import Job, JobStatus
from rq.scripts import UNIQUE_ENQUEUE_SCRIPT
from rq.serializers import JSONSerializer
from rq.utils import now

from bot.queue.progress import ProgressRecord

UNREACHABLE = (RedisConnectionError, RedisTimeoutError, OSError)
"""What is raised where Redis does not answer."""

_FAST_SECONDS = 0.5


def failing_fast(url: str) -> Redis:
    """Gives up after half a second: a webhook is answered without Redis, too."""
    return Redis.from_url(
        url,
        socket_connect_timeout=_FAST_SECONDS,
        socket_timeout=_FAST_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


def retrying(url: str) -> Redis:
    """Tries for some seconds: a short restart of Redis goes unnoticed."""
    return Redis.from_url(
        url,
        socket_connect_timeout=5,
        health_check_interval=30,
        retry=Retry(ExponentialBackoff(cap=2.0, base=0.1), 6),
    )


HANDLE: Final = "bot.queue.tasks.handle_delivery"
RUN: Final = "bot.queue.tasks.run_job"
CONCLUDE: Final = "bot.queue.tasks.conclude_job"
CANARY: Final = "bot.queue.tasks.canary"
TASKS: Final = frozenset({HANDLE, RUN, CONCLUDE, CANARY})
"""All that a worker may be asked to call."""

QUICK_SECONDS: Final = 300
"""How long a task of the quick queue may take: some calls to GitHub, which may ask to wait."""

_KEPT_SECONDS = 60
_PLAIN = re.compile(r"[A-Za-z0-9-]{1,64}")
_log = logging.getLogger(__name__)


class QueueName(enum.StrEnum):
    """The queues: short calls, and work that runs code."""

    QUICK = "quick"
    LONG = "long"


class TaskStatus(enum.Enum):
    """What Redis knows of a task."""

    UNKNOWN = "unknown"
    WAITS = "waits"
    RUNS = "runs"
    LOST = "lost"
    ENDED = "ended"


@dataclass(frozen=True)
class QueueTask:
    """A task and the thing that it is about; the same task twice is one."""

    function: str
    about: str

    @property
    def id(self) -> str:
        """An id that RQ takes: letters, digits and dashes; readable for deliveries."""
        name = self.function.rpartition(".")[2].partition("_")[0]
        plain = _PLAIN.fullmatch(self.about)
        text = self.about if plain else hashlib.sha256(self.about.encode()).hexdigest()[:40]
        return f"{name}-{text}"

    @property
    def queue(self) -> QueueName:
        """Where it waits."""
        if self.function == CANARY:
            return QueueName(self.about)
        return QueueName.LONG if self.function == RUN else QueueName.QUICK


def alive_key(task_id: str) -> str:
    """The key that is there while a living worker has a task in hand."""
    return f"fixgate:alive:{task_id}"


class JobQueue:
    """Both queues. `job_seconds` bounds a job; methods raise redis.ConnectionError or TimeoutError.

    It is a `bot.jobs.services.Queue`: for these two methods, a Redis that is away is no error, as
    the sweeper queues, and stops, what was not.
    """

    def __init__(self, connection: Redis, job_seconds: float = 3600.0) -> None:
        self.connection = connection
        self._seconds = {QueueName.QUICK: QUICK_SECONDS, QueueName.LONG: int(job_seconds)}
        self._queues = {
            name: Queue(name, connection=connection, serializer=JSONSerializer)
            for name in QueueName
        }

    def enqueue(self, key: str) -> None:
        """Queue a job by its key; one that is queued or runs already is not queued again."""
        self._if_reachable([QueueTask(RUN, key)])

    def deliver(self, delivery: str) -> bool:
        """Queue a delivery by its id; False where Redis is away: the sweeper will do it."""
        return self.deliver_all([delivery])

    def deliver_all(self, deliveries: Iterable[str]) -> bool:
        """Queue deliveries by their ids; False as above."""
        return self._if_reachable([QueueTask(HANDLE, delivery) for delivery in deliveries])

    def stop(self, key: str) -> None:
        """Take a job out, or really stop it: its process and all that it started are killed."""
        try:
            self.end(QueueTask(RUN, key))
        except UNREACHABLE as error:
            _log.warning("%s cannot be stopped now: Redis does not answer: %s", key, error)

    def add(self, task: QueueTask) -> bool:
        """Queue a task; False where it is known already, in whatever state."""
        return self.add_all([task]) == [True]

    def add_all(self, tasks: Sequence[QueueTask]) -> list[bool]:
        """Queue tasks in one round trip, as `add` does each of them."""
        with self.connection.pipeline(transaction=False) as together:
            for task in tasks:
                self._add(task, together)
            return [bool(is_new) for is_new in together.execute()[1::2]]

    def add_again(self, task: QueueTask) -> None:
        """Queue a task that ended, or was lost, anew."""
        self._forget(task)
        self.add(task)

    def end(self, task: QueueTask) -> None:
        """Kill what runs, take out what waits."""
        if self.status(task) is not TaskStatus.RUNS:
            self._forget(task)
            return
        try:
            send_stop_job_command(self.connection, task.id, serializer=JSONSerializer)
        except (NoSuchJobError, InvalidJobOperation):
            _log.info("%s ended before it was stopped", task.id)

    def status(self, task: QueueTask) -> TaskStatus:
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
            waits = self._queues[task.queue].get_job_position(task.id) is not None
            return TaskStatus.WAITS if waits else TaskStatus.LOST
        return TaskStatus.ENDED

    def lengths(self) -> Mapping[str, int]:
        """How many tasks wait, by queue."""
        return {name.value: queue.count for name, queue in self._queues.items()}

    def progress(self, name: QueueName) -> ProgressRecord:
        """Whether the tasks of a queue get done."""
        return ProgressRecord(self.connection, name.value)

    def troubles(self) -> Sequence[str]:
        """Why tasks do not get done, for each queue in which they do not; () where all is well."""
        try:
            found = {name.value: self.progress(name).read().trouble for name in QueueName}
        except UNREACHABLE:
            return ("Redis does not answer",)
        return tuple(f"{name}: {trouble}" for name, trouble in found.items() if trouble)

    def answers(self) -> bool:
        """Whether Redis answers."""
        try:
            return bool(self.connection.ping())
        except UNREACHABLE:
            return False

    def _if_reachable(self, tasks: Sequence[QueueTask]) -> bool:
        try:
            self.add_all(tasks)
        except UNREACHABLE as error:
            names = ", ".join(task.id for task in tasks)
            _log.warning("%s is queued later: Redis does not answer: %s", names, error)
            return False
        return True

    def _add(self, task: QueueTask, together: Pipeline) -> None:
        """What `Queue.enqueue(..., unique=True)` of RQ does, in four round trips."""
        queue = self._queues[task.queue]
        job = queue.create_job(
            task.function,
            args=(task.about,),
            job_id=task.id,
            timeout=self._seconds[task.queue],
            result_ttl=0,
            failure_ttl=_KEPT_SECONDS,
            description=task.id,
        )
        job.enqueued_at = now()
        given = {name: value for name, value in job.to_dict().items() if value is not None}
        fields = [part for pair in given.items() for part in pair]
        together.sadd(queue.redis_queues_keys, queue.key)
        together.eval(UNIQUE_ENQUEUE_SCRIPT, 2, job.key, queue.key, job.id, "R", -1, *fields)

    def _forget(self, task: QueueTask) -> None:
        queue = self._queues[task.queue]
        with self.connection.pipeline() as together:
            together.lrem(queue.key, 0, task.id)
            together.lrem(queue.intermediate_queue_key, 0, task.id)
            together.zrem(queue.failed_job_registry.key, task.id)
            together.delete(Job.key_for(task.id))
            together.execute()
