"""Plans a job: written down once, older ones of its lane ended, then queued."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Final, Protocol

from bot.jobs.types import JobRequest
from bot.store import Store

LONGEST_PLANNING: Final = datetime.timedelta(minutes=5)
"""After this time a job that was written down, but not queued, begins without more ado."""


class Queue(Protocol):
    """Where jobs wait for a worker."""

    def enqueue(self, key: str) -> None:
        """Queue a job by its key; one that is queued or runs already is not queued again."""
        ...

    def stop(self, key: str) -> None:
        """Take a job out, or really stop it, with all that it runs."""
        ...


def plan(
    store: Store, queue: Queue, request: JobRequest, show: Callable[[], None] = lambda: None
) -> tuple[JobRequest, ...]:
    """See that a job will be done; returns the jobs that it supersedes, which are stopped.

    Asking twice for the same is asking once: a job that waits is only queued again in case that
    was lost. `show` is called before the job can begin, so that the job's own word is the last;
    whoever dies while at it leaves a job behind, and never a check without one.
    """
    store.jobs.plan(request, wait=LONGEST_PLANNING)
    row = store.jobs.get(request.key)
    if row is not None and row.started_at is None and row.state == "queued":
        show()
        store.jobs.release(request.key)
    superseded = tuple(store.jobs.supersede(request))
    for old in superseded:
        queue.stop(old.key)
    row = store.jobs.get(request.key)
    if row is not None and row.state == "queued":
        queue.enqueue(request.key)
    return superseded
