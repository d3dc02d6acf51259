"""Queues what is to be done for GitHub: events, which are short, and jobs, which run code."""

from __future__ import annotations

import enum
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redis import Redis

from bot.queue.progress import ProgressRecord
from evaluator.distributed.connections import UNREACHABLE
from evaluator.distributed.queue import TaskQueue, task_id

HANDLE: Final = "bot.queue.tasks.handle_delivery"
RUN: Final = "bot.queue.tasks.run_job"
CONCLUDE: Final = "bot.queue.tasks.conclude_job"
CANARY: Final = "bot.queue.tasks.canary"
TASKS: Final = frozenset({HANDLE, RUN, CONCLUDE, CANARY})
"""All that a worker may be asked to call."""

QUICK_SECONDS: Final = 300
"""How long a task of the quick queue may take: some calls to GitHub, which may ask to wait."""

_log = logging.getLogger(__name__)


class QueueName(enum.StrEnum):
    """The queues: short calls, and work that runs code."""

    QUICK = "quick"
    LONG = "long"


@dataclass(frozen=True)
class QueueTask:
    """A task and the thing that it is about; the same task twice is one."""

    function: str
    about: str

    @property
    def id(self) -> str:
        """An id that RQ takes: letters, digits and dashes; readable for deliveries."""
        return task_id(self.function, self.about)

    @property
    def queue(self) -> QueueName:
        """Where it waits."""
        if self.function == CANARY:
            return QueueName(self.about)
        return QueueName.LONG if self.function == RUN else QueueName.QUICK


class JobQueue(TaskQueue):
    """Both queues. `job_seconds` bounds a job; methods raise redis.ConnectionError or TimeoutError.

    It is a `bot.jobs.services.Queue`: for these two methods, a Redis that is away is no error, as
    the sweeper queues, and stops, what was not.
    """

    def __init__(self, connection: Redis, job_seconds: float = 3600.0) -> None:
        seconds = {QueueName.QUICK: QUICK_SECONDS, QueueName.LONG: int(job_seconds)}
        super().__init__(connection, lambda name: seconds[QueueName(name)])

    def enqueue(self, key: str) -> None:
        """Queue a job by its key; one that is queued or runs already is not queued again."""
        self._if_reachable([QueueTask(RUN, key)])

    def deliver(self, delivery: str) -> bool:
        """Queue a delivery by its id; False where Redis is away: the sweeper will do it."""
        return self.deliver_all([delivery])

    def deliver_all(self, deliveries: Iterable[str]) -> bool:
        """Queue deliveries by their ids; False as above."""
        return self._if_reachable([QueueTask(HANDLE, delivery) for delivery in deliveries])

    def conclude(self, key: str) -> None:
        """Have it shown soon how a job ended."""
        self._if_reachable([QueueTask(CONCLUDE, key)])

    def stop(self, key: str) -> None:
        """Take a job out, or really stop it: its process and all that it started are killed."""
        try:
            self.end(QueueTask(RUN, key))
        except UNREACHABLE as error:
            _log.warning("%s cannot be stopped now: Redis does not answer: %s", key, error)

    def lengths(self) -> Mapping[str, int]:
        """How many tasks wait, by queue."""
        return {name.value: self.queue(name).count for name in QueueName}

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

    def _if_reachable(self, tasks: Sequence[QueueTask]) -> bool:
        try:
            self.add_all(tasks)
        except UNREACHABLE as error:
            names = ", ".join(task.id for task in tasks)
            _log.warning("%s is queued later: Redis does not answer: %s", names, error)
            return False
        return True
