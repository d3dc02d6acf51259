"""Looks after what nobody else does: what was not queued, who died, what was not told."""

from __future__ import annotations

import datetime
import logging
from dataclasses import dataclass, field
from typing import Final

from bot.errors import GitHubError
from bot.github.minter import AppCalls
from bot.jobs.run import MOST_ATTEMPTS
from bot.jobs.types import JobState
from bot.queue.queue import CONCLUDE, HANDLE, RUN, JobQueue, Standing, Task
from bot.store import Store
from bot.store.deliveries import Waiting
from bot.store.tables import Job

MOST_REDELIVERIES: Final = 3
"""How often GitHub is asked to deliver the same event again."""
_FIRST_LOOK: Final = datetime.timedelta(hours=24)
_OVERLAP: Final = datetime.timedelta(minutes=10)
_FIRST_WAIT: Final = datetime.timedelta(seconds=30)
_TELLING: Final = datetime.timedelta(hours=24)
_LOCK: Final = "fixgate:sweeping"
_LOCK_SECONDS: Final = 300
_log = logging.getLogger(__name__)


@dataclass
class Sweeper:
    """Brings Redis in line with the store, which is the truth.

    What looks lost is only taken as lost when it looks so twice: a worker may just be taking it.
    `app` is the minter, None where failed deliveries are not asked for.
    """

    store: Store
    queue: JobQueue
    app: AppCalls | None = None
    _suspects: set[str] = field(default_factory=set)
    _looked_at: datetime.datetime | None = None
    _asked: dict[str, int] = field(default_factory=dict)

    def sweep(self) -> None:
        """Look at everything once; nothing, where another sweeper does so right now.

        Raises redis.ConnectionError or TimeoutError.
        """
        connection = self.queue.connection
        if not connection.set(_LOCK, "1", nx=True, ex=_LOCK_SECONDS):
            return
        try:
            suspects, self._suspects = self._suspects, set()
            self._sweep_all(suspects)
        finally:
            connection.delete(_LOCK)

    def ask_for_failed_deliveries(self) -> int:
        """Have GitHub deliver again what never arrived; how many were asked for.

        Looks a day back at first, later as far as the last look. Raises GitHubError.
        """
        if self.app is None:
            return 0
        now = self.store.database.now()
        since = now - _FIRST_LOOK if self._looked_at is None else self._looked_at - _OVERLAP
        asked = 0
        for delivery in self.app.failed_deliveries(since):
            if self.store.deliveries.get(delivery.guid) is None and self._may_ask(delivery.guid):
                asked += self._redeliver(self.app, delivery.id, delivery.guid)
        self._looked_at = now
        return asked

    def _sweep_all(self, suspects: set[str]) -> None:
        now = self.store.database.now()
        for delivery in self.store.deliveries.waiting():
            if _due(delivery, now):
                self._see_to(Task(HANDLE, delivery.id), suspects)
        for job in self.store.jobs.unfinished():
            self._see_to_job(job, suspects)
        for job in self.store.jobs.untold():
            self._see_told(job, suspects)

    def _see_to_job(self, job: Job, suspects: set[str]) -> None:
        """Queue a job that waits; one whose worker died is tried again, or given up."""
        if job.not_before is not None and job.not_before > self.store.database.now():
            return
        task = Task(RUN, job.key)
        if job.state == JobState.RUNNING and job.attempts >= MOST_ATTEMPTS:
            if self._is_lost(task, suspects):
                message = f"its worker died, in {job.attempts} attempts"
                _log.error("%s is given up: %s", job.key, message)
                self.store.jobs.finish(job.key, JobState.FAILED, message)
        else:
            self._see_to(task, suspects)

    def _see_told(self, job: Job, suspects: set[str]) -> None:
        """Stop what is superseded and still runs; have told what nobody told."""
        task = Task(RUN, job.key)
        if self.queue.standing(task) in (Standing.RUNS, Standing.WAITS):
            if job.state == JobState.SUPERSEDED:
                self.queue.end(task)
        elif job.ended_at is not None and self.store.database.now() - job.ended_at > _TELLING:
            _log.error("%s is not told any more: GitHub could not be reached for a day", job.key)
            self.store.jobs.told(job.key)
        else:
            self._see_to(Task(CONCLUDE, job.key), suspects)

    def _see_to(self, task: Task, suspects: set[str]) -> None:
        """Queue a task that is not queued."""
        standing = self.queue.standing(task)
        if standing is Standing.UNKNOWN:
            self.queue.add(task)
        elif standing is Standing.ENDED or (
            standing is Standing.LOST and self._is_lost(task, suspects)
        ):
            _log.info("%s is queued again", task.id)
            self.queue.add_again(task)

    def _is_lost(self, task: Task, suspects: set[str]) -> bool:
        """Whether nobody has had it in hand now and when it was last looked at."""
        if self.queue.standing(task) in (Standing.RUNS, Standing.WAITS):
            return False
        self._suspects.add(task.id)
        return task.id in suspects

    def _may_ask(self, guid: str) -> bool:
        return self._asked.get(guid, 0) < MOST_REDELIVERIES

    def _redeliver(self, app: AppCalls, delivery: int, guid: str) -> int:
        self._asked[guid] = self._asked.get(guid, 0) + 1
        try:
            app.redeliver(delivery)
        except GitHubError as error:
            _log.warning("GitHub does not deliver %s again: %s", guid, error)
            return 0
        return 1


def _due(delivery: Waiting, now: datetime.datetime) -> bool:
    """Whether it is time to try: at once, then 30 s after it came, 90 s, 210 s and so on."""
    wait: datetime.timedelta = _FIRST_WAIT * (2**delivery.attempts - 1)
    return now >= delivery.received_at + wait
