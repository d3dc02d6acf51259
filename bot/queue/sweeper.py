"""Looks after what nobody else does: what was not queued, who died, what was not reported."""

from __future__ import annotations

import datetime
import itertools
import logging
from dataclasses import dataclass, field, replace
from typing import Final

from bot.errors import GitHubError
from bot.github.minter import Redelivery
from bot.jobs.run import MOST_ATTEMPTS
from bot.jobs.types import JobState
from bot.queue.queue import (
    CANARY,
    CONCLUDE,
    HANDLE,
    RUN,
    JobQueue,
    QueueName,
    QueueTask,
)
from bot.store import Store
from bot.store.deliveries import REDELIVERED_FOR, Waiting
from bot.store.tables import Job
from evaluator.distributed.queue import TaskStatus

AT_ONCE: Final = 3
"""How often GitHub is asked at every look to deliver the same event again; then more rarely."""
FIRST_PAUSE: Final = datetime.timedelta(minutes=10)
"""The wait after so many times; it doubles."""
KEEP: Final = datetime.timedelta(days=30)
_FORGET_EVERY: Final = datetime.timedelta(hours=1)
_MOST_PORTIONS: Final = 20
_FIRST_LOOK: Final = REDELIVERED_FOR
_OVERLAP: Final = datetime.timedelta(minutes=10)
_FIRST_WAIT: Final = datetime.timedelta(seconds=30)
_REPORTING: Final = datetime.timedelta(hours=24)
_LOCK: Final = "fixgate:sweeping"
_LOCK_SECONDS: Final = 60
"""Enough for a sweep; after that, whoever had the lock is taken for dead. Two do no harm."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Missing:
    """A delivery that never came: GitHub's number of it, since when, how often it was asked for."""

    delivery: int
    since: datetime.datetime
    not_before: datetime.datetime
    times: int = 0

    def is_due(self, now: datetime.datetime) -> bool:
        """Whether GitHub is to be asked now, as long as it can deliver it."""
        return self.not_before <= now < self.since + REDELIVERED_FOR

    def asked(self, now: datetime.datetime, first_pause: datetime.timedelta) -> _Missing:
        """The same, asked for once more."""
        times = self.times + 1
        rarely = times >= AT_ONCE
        pause = first_pause * 2 ** (times - AT_ONCE) if rarely else datetime.timedelta(0)
        return replace(self, times=times, not_before=now + pause)


@dataclass
class Sweeper:
    """Brings Redis in line with the store, which is the truth.

    What looks lost is only taken as lost when it looks so twice: a worker may just be taking it.
    `app` is the minter, None where failed deliveries are not asked for; `first_pause` is the first
    wait where asking more than once was in vain. What is older than `keep` is forgotten, as far as
    nobody needs it.
    """

    store: Store
    queue: JobQueue
    app: Redelivery | None = None
    keep: datetime.timedelta = KEEP
    first_pause: datetime.timedelta = FIRST_PAUSE
    _suspects: set[str] = field(default_factory=set)
    _looked_at: datetime.datetime | None = None
    _missing: dict[str, _Missing] = field(default_factory=dict)
    _forgot_at: datetime.datetime | None = None

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

        Looks as far back as GitHub remembers at first, later as far as the last look. Raises
        GitHubError.
        """
        if self.app is None:
            return 0
        now = self.store.database.now()
        since = now - _FIRST_LOOK if self._looked_at is None else self._looked_at - _OVERLAP
        for delivery in self.app.failed_deliveries(since):
            self._missing.setdefault(delivery.guid, _Missing(delivery.id, now, now))
        self._looked_at = now
        arrived = [guid for guid in self._missing if self.store.deliveries.get(guid) is not None]
        for guid in arrived:
            del self._missing[guid]
        due = [guid for guid, missing in self._missing.items() if missing.is_due(now)]
        return sum(self._redeliver(self.app, guid, now) for guid in due)

    def _sweep_all(self, suspects: set[str]) -> None:
        now = self.store.database.now()
        for delivery in self.store.deliveries.waiting():
            if _due(delivery, now):
                self._see_to(QueueTask(HANDLE, delivery.id), suspects)
        for job in self.store.jobs.unfinished():
            self._see_to_job(job, suspects)
        for job in self.store.jobs.unreported():
            self._see_to_report(job, suspects)
        for name in QueueName:
            self._see_to_canary(name, suspects)
        self._forget(now)

    def _see_to_job(self, job: Job, suspects: set[str]) -> None:
        """Queue a job that waits; one whose worker died is tried again, or given up."""
        if job.not_before is not None and job.not_before > self.store.database.now():
            return
        task = QueueTask(RUN, job.key)
        if job.state == JobState.RUNNING and job.attempts >= MOST_ATTEMPTS:
            if self._is_lost(task, suspects):
                message = f"its worker died, in {job.attempts} attempts"
                _log.error("%s is given up: %s", job.key, message)
                self.store.jobs.finish(job.key, JobState.FAILED, message)
        else:
            self._see_to(task, suspects)

    def _see_to_canary(self, name: QueueName, suspects: set[str]) -> None:
        """Queue a canary in a queue in which nothing was done for a while."""
        progress = self.queue.progress(name)
        if progress.read().wants_canary:
            progress.asked()
            self._see_to(QueueTask(CANARY, name.value), suspects)

    def _see_to_report(self, job: Job, suspects: set[str]) -> None:
        """Stop what is superseded and still runs; have reported what was not."""
        task = QueueTask(RUN, job.key)
        if self.queue.status(task) in (TaskStatus.RUNS, TaskStatus.WAITS):
            if job.state == JobState.SUPERSEDED:
                self.queue.end(task)
        elif job.ended_at is not None and self.store.database.now() - job.ended_at > _REPORTING:
            _log.error("%s stays unreported: GitHub could not be reached for a day", job.key)
            self.store.jobs.mark_reported(job.key)
        else:
            self._see_to(QueueTask(CONCLUDE, job.key), suspects)

    def _see_to(self, task: QueueTask, suspects: set[str]) -> None:
        """Queue a task that is not queued."""
        status = self.queue.status(task)
        if status is TaskStatus.UNKNOWN:
            self.queue.add(task)
        elif status is TaskStatus.ENDED or (
            status is TaskStatus.LOST and self._is_lost(task, suspects)
        ):
            _log.info("%s is queued again", task.id)
            self.queue.add_again(task)

    def _is_lost(self, task: QueueTask, suspects: set[str]) -> bool:
        """Whether nobody has had it in hand now and when it was last looked at."""
        if self.queue.status(task) in (TaskStatus.RUNS, TaskStatus.WAITS):
            return False
        self._suspects.add(task.id)
        return task.id in suspects

    def _redeliver(self, app: Redelivery, guid: str, now: datetime.datetime) -> int:
        missing = self._missing[guid] = self._missing[guid].asked(now, self.first_pause)
        try:
            app.redeliver(missing.delivery)
        except GitHubError as error:
            _log.warning("GitHub does not deliver %s again: %s", guid, error)
            return 0
        return 1

    def _forget(self, now: datetime.datetime) -> None:
        """In portions, so that others can write meanwhile, and not too many at once."""
        if self._forgot_at is not None and now - self._forgot_at < _FORGET_EVERY:
            return
        for forget in (self.store.deliveries.forget, self.store.verdicts.forget):
            portions = (forget(self.keep) for _ in range(_MOST_PORTIONS))
            count = sum(itertools.takewhile(bool, portions))
            if count:
                _log.info("forgot %d things that were older than %s", count, self.keep)
        self._forgot_at = now


def _due(delivery: Waiting, now: datetime.datetime) -> bool:
    """Whether it is time to try: at once, then 30 s after it came, 90 s, 210 s and so on."""
    wait: datetime.timedelta = _FIRST_WAIT * (2**delivery.attempts - 1)
    return now >= delivery.received_at + wait
