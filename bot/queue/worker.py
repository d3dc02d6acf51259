"""The process that takes the App's tasks from the queues and forks one process for each."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from redis import Redis
from rq import Queue
from rq.job import Job
from rq.registry import StartedJobRegistry

from bot.queue.progress import ProgressRecord
from bot.queue.queue import TASKS, QueueName
from bot.queue.tasks import TaskFunctions, prepare
from bot.telemetry import flush
from evaluator.distributed.connections import UNREACHABLE
from evaluator.distributed.worker import HeartbeatSettings, TaskWorker
from evaluator.distributed.worker import work as work_on


class JobWorker(TaskWorker):
    """Notes whether the tasks of a queue get done."""

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

    def before_end(self) -> None:
        """Send what was traced."""
        flush()

    def note_beat(self, job: Job, seconds: int) -> None:
        """Note that a task is in hand."""
        self._progress(job).busy(seconds)

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

    def make(connection: Redis) -> TaskWorker:
        return JobWorker(connection, queues, TASKS, clean_up, heartbeat or HeartbeatSettings())

    work_on(redis_url, make)
