"""The process that takes tasks from the queues and forks one process for each."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType

from redis import Redis
from redis.client import Pipeline
from rq import Queue, Worker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.registry import StartedJobRegistry
from rq.serializers import JSONSerializer

from bot.processes import die_with
from bot.queue.progress import ProgressRecord
from bot.queue.queue import TASKS, UNREACHABLE, QueueName, alive_key, retrying
from bot.queue.tasks import TaskFunctions, prepare

_LONGEST_OUTAGE = 600.0
_WAIT_SECONDS = 2.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class HeartbeatSettings:
    """How often a worker reports that its task is alive, and for how long that is believed."""

    beat_seconds: int = 5
    alive_seconds: int = 30

    @classmethod
    def of(cls, beat_seconds: int) -> HeartbeatSettings:
        """Six beats may be missed: a machine under load, or a restart of Redis, is no death."""
        return cls(beat_seconds, 6 * beat_seconds)


class TaskWorker(Worker):
    """RQ's worker, which outlasts an outage of Redis and takes its task along when it is killed.

    `clean_up` is called after each task, in the worker itself: whatever a task that was killed has
    left behind can be removed then. Raises redis.ConnectionError when it is made without Redis.
    """

    max_connection_wait_time = 5.0
    log_result_lifespan = False

    def __init__(
        self,
        connection: Redis,
        queues: Sequence[QueueName],
        clean_up: Callable[[], None],
        heartbeat: HeartbeatSettings,
    ) -> None:
        super().__init__(
            [Queue(name, connection=connection, serializer=JSONSerializer) for name in queues],
            connection=connection,
            serializer=JSONSerializer,
            job_monitoring_interval=heartbeat.beat_seconds,
        )
        self.was_asked_to_stop = self._has_task = False
        self._clean_up = clean_up
        self._heartbeat_settings = heartbeat

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Finish what is in hand, then end; without Redis, too, which RQ would ask."""
        self.was_asked_to_stop = True
        try:
            super().request_stop(signum, frame)  # type: ignore[no-untyped-call]
        except UNREACHABLE:
            self._stop_requested = True
            if not self._has_task:
                raise StopRequested from None

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Do a task in a process of its own."""
        self._beat(job)
        self._has_task = True
        try:
            super().execute_job(job, queue)
        finally:
            self._has_task = False
            with contextlib.suppress(*UNREACHABLE):
                self.connection.delete(alive_key(job.id))
            self._clean_up()

    def maintain_heartbeats(self, job: Job) -> None:
        """Report that the task is alive; it goes on without Redis."""
        try:
            self._beat(job)
            super().maintain_heartbeats(job)
        except UNREACHABLE as error:
            _log.warning("%s goes on, though Redis does not answer: %s", job.id, error)

    def set_current_job_working_time(
        self, current_job_working_time: float, pipeline: Pipeline | None = None
    ) -> None:
        """Report it, if Redis answers."""
        with contextlib.suppress(*UNREACHABLE):
            super().set_current_job_working_time(current_job_working_time, pipeline)

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """In the forked process: end when the worker ends, however that happens.

        In RQ's own an error that is not the task's, but of RQ or ours, ends the process unseen.
        """
        try:
            die_with(self.pid or 0, signal.SIGKILL)
            self.setup_work_horse_signals()  # type: ignore[no-untyped-call]
            self._is_horse = True
            self.perform_job(job, queue)
        except BaseException:
            _log.exception("%s died before it began, or after it ended", job.id)
            os._exit(1)
        os._exit(0)

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Nothing but our own tasks, whoever may write to Redis."""
        if job.func_name not in TASKS or job.instance is not None:
            raise PermissionError(f"{job.id} asks for {job.func_name!r}, which is no task")
        return bool(super().perform_job(job, queue))

    def handle_job_success(
        self, job: Job, queue: Queue, started_job_registry: StartedJobRegistry
    ) -> None:
        """Note that tasks get done."""
        super().handle_job_success(job, queue, started_job_registry)
        with contextlib.suppress(*UNREACHABLE):
            self._progress(job).done()

    def handle_job_failure(
        self,
        job: Job,
        queue: Queue,
        started_job_registry: StartedJobRegistry | None = None,
        exc_string: str = "",
    ) -> None:
        """Note that a task died, unless it was stopped."""
        if self._stopped_job_id != job.id:
            with contextlib.suppress(*UNREACHABLE):
                self._progress(job).died(_cause(exc_string))
        super().handle_job_failure(job, queue, started_job_registry, exc_string)

    def _beat(self, job: Job) -> None:
        self.connection.set(alive_key(job.id), self.name, ex=self._heartbeat_settings.alive_seconds)
        self._progress(job).busy(self._heartbeat_settings.alive_seconds)

    def _progress(self, job: Job) -> ProgressRecord:
        return ProgressRecord(self.connection, job.origin)


def _cause(error: str) -> str:
    """The type of the error that a traceback ends with: messages may name what is not public."""
    last = error.strip().rpartition("\n")[2]
    return last.partition(":")[0].strip("; ")


def work(
    redis_url: str,
    queues: Sequence[QueueName],
    task_work: TaskFunctions,
    *,
    clean_up: Callable[[], None] = lambda: None,
    heartbeat: HeartbeatSettings | None = None,
) -> None:
    """Do tasks until SIGTERM or SIGINT; what is in hand is finished first, unless asked twice.

    `clean_up` is called at the start, as whoever was here before may have been killed, and after
    each task. A Redis that goes away is waited for, for ten minutes; then its error is raised.
    """
    task_work.load()
    prepare(task_work)
    clean_up()
    connection = retrying(redis_url)
    last_seen = time.monotonic()
    while True:
        worker = _found_worker(
            connection, queues, clean_up, heartbeat or HeartbeatSettings(), last_seen
        )
        try:
            worker.work(logging_level=None)
        except UNREACHABLE as error:
            _log.warning("Redis went away: %s", error)
        if worker.was_asked_to_stop:
            return
        last_seen = time.monotonic()


def _found_worker(
    connection: Redis,
    queues: Sequence[QueueName],
    clean_up: Callable[[], None],
    heartbeat: HeartbeatSettings,
    last_seen: float,
) -> TaskWorker:
    """A worker, as soon as Redis answers."""
    while True:
        try:
            return TaskWorker(connection, queues, clean_up, heartbeat)
        except UNREACHABLE as error:
            if time.monotonic() - last_seen > _LONGEST_OUTAGE:
                raise
            _log.warning("Redis does not answer: %s", error)
            time.sleep(_WAIT_SECONDS)
