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
from rq.serializers import JSONSerializer

from evaluator.distributed.connections import UNREACHABLE, retrying
from evaluator.distributed.processes import die_with
from evaluator.distributed.queue import alive_key

_LONGEST_OUTAGE = 600.0
_WAIT_SECONDS = 2.0
_IDLE_SECONDS = 10
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

    It does the tasks of the `functions`, named by their import paths, and no others. `clean_up` is
    called after each task, in the worker itself: whatever a task that was killed has left behind
    can be removed then. Raises redis.ConnectionError when it is made without Redis.
    """

    max_connection_wait_time = 5.0
    log_result_lifespan = False

    def __init__(
        self,
        connection: Redis,
        queues: Sequence[str],
        functions: frozenset[str],
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
        self._functions = functions
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

    @property
    def dequeue_timeout(self) -> int:
        """Seconds after which a worker without a task looks whether it was asked to stop."""
        return _IDLE_SECONDS

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Report that the worker is alive; one that was asked to stop takes no task any more.

        What the handler of a signal raises is lost where it interrupts a finalizer, as those of
        Redis's client are, and RQ would wait for tasks as before.
        """
        super().heartbeat(timeout, pipeline)
        if self.was_asked_to_stop and not self._has_task:
            raise StopRequested

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
            self.before_end()
            os._exit(1)
        self.before_end()
        os._exit(0)

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Nothing but our own tasks, whoever may write to Redis."""
        if job.func_name not in self._functions or job.instance is not None:
            raise PermissionError(f"{job.id} asks for {job.func_name!r}, which is no task")
        return bool(super().perform_job(job, queue))

    def _beat(self, job: Job) -> None:
        self.connection.set(alive_key(job.id), self.name, ex=self._heartbeat_settings.alive_seconds)
        self.note_beat(job, self._heartbeat_settings.alive_seconds)

    def before_end(self) -> None:
        """In the forked process: what else is to be done before it ends: nothing."""

    def note_beat(self, job: Job, seconds: int) -> None:
        """What else a heartbeat says, to be believed for so many seconds: nothing."""


MakeWorker = Callable[[Redis], TaskWorker]


def work(redis_url: str, make: MakeWorker) -> None:
    """Do tasks until SIGTERM or SIGINT; what is in hand is finished first, unless asked twice.

    A Redis that goes away is waited for, for ten minutes; then its error is raised.
    """
    connection = retrying(redis_url)
    last_seen = time.monotonic()
    while True:
        worker = _found_worker(connection, make, last_seen)
        try:
            worker.work(logging_level=None)
        except UNREACHABLE as error:
            _log.warning("Redis went away: %s", error)
        if worker.was_asked_to_stop:
            return
        last_seen = time.monotonic()


def _found_worker(connection: Redis, make: MakeWorker, last_seen: float) -> TaskWorker:
    """A worker, as soon as Redis answers."""
    while True:
        try:
            return make(connection)
        except UNREACHABLE as error:
            if time.monotonic() - last_seen > _LONGEST_OUTAGE:
                raise
            _log.warning("Redis does not answer: %s", error)
            time.sleep(_WAIT_SECONDS)
