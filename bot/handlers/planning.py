"""What several handlers share: the configuration that holds, and planning jobs."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Callable
from typing import Final

from bot.configuration import Configuration
from bot.github.models import Event, Pull
from bot.github.protocol import Repository
from bot.jobs.run import show_superseded
from bot.jobs.services import Queue, Services, configuration_of
from bot.jobs.types import JobKind, JobRequest
from bot.messages import checks
from bot.store import Store

LONGEST_PLANNING: Final = datetime.timedelta(minutes=5)
"""After this time a job that was written down, but not queued, begins without more ado."""


def repository_of(event: Event, services: Services) -> Repository:
    """The repository in which something happened."""
    return services.github.repository(event.place.installation, event.place.full_name)


def configuration(event: Event, services: Services) -> Configuration:
    """What the default branch says."""
    repository = repository_of(event, services)
    found, _ = configuration_of(repository, event.repository.default_branch)
    return found


def is_paused(event: Event, number: int, services: Services) -> bool:
    """Whether the App is silent on an issue or pull request, or in all of its repository."""
    pauses, name = services.store.pauses, event.place.full_name
    return pauses.is_paused(name, number) or pauses.is_paused(name, 0)


def exclusive_lock(
    event: Event, number: int, services: Services
) -> contextlib.AbstractContextManager[None]:
    """Others that plan for the same issue or pull request wait meanwhile.

    Otherwise what one of them asked of GitHub may be outdated by the time at which it plans, and
    two may make the same check or comment.
    """
    return services.store.database.exclusive_lock("plan", f"{event.place.full_name}:{number}")


def plan_reproduction(
    event: Event, number: int, services: Services, *, again: bool = False, requested_by: str = ""
) -> None:
    """Plan to answer an issue; with `again` for another time, once for each delivery."""
    asked = JobRequest(
        JobKind.REPRODUCE, event.place, number, requested_by=requested_by, cause=event.delivery
    )
    request = services.store.jobs.with_round(asked, again=again)
    plan(services.store, services.queue, request)


def plan_verification(
    event: Event,
    pull: Pull,
    services: Services,
    *,
    again: bool = False,
    regenerate_tests: bool = False,
    requested_by: str = "",
) -> None:
    """Plan to judge the head of a pull request, and show that it waits.

    `again` makes another try of a head that was judged before, once for each delivery. Checks of
    older heads are shown as superseded. Call this under the `exclusive_lock`, with the pull request
    as it is now.
    """
    asked = JobRequest(
        JobKind.VERIFY,
        event.place,
        pull.number,
        pull.head.sha,
        pull.base.sha,
        regenerate_tests=regenerate_tests,
        requested_by=requested_by,
        cause=event.delivery,
    )
    plan_check(event, services.store.jobs.with_round(asked, again=again), services)


def plan_check(event: Event, request: JobRequest, services: Services) -> None:
    """Plan a verification with its check, and conclude the checks that it supersedes."""
    repository = repository_of(event, services)

    def show() -> None:
        repository.put_check(checks.waiting(request))

    for old in plan(services.store, services.queue, request, show):
        show_superseded(services, old)


def plan(
    store: Store, queue: Queue, request: JobRequest, show: Callable[[], None] = lambda: None
) -> tuple[JobRequest, ...]:
    """See that a job will be done; returns the jobs that it supersedes, which are stopped.

    Asking twice for the same is asking once: a job that waits is only queued again in case that
    was lost. `show` is called while the job can neither begin nor be reported, so that the job's
    own word is the last; whoever dies while at it leaves a job behind, and never a check without
    one.
    """
    store.jobs.plan(request, wait=LONGEST_PLANNING)
    with store.database.exclusive_lock("report", request.key):
        if store.jobs.hold(request.key, LONGEST_PLANNING):
            show()
            store.jobs.release(request.key)
    superseded = tuple(store.jobs.supersede(request))
    for old in superseded:
        queue.stop(old.key)
    row = store.jobs.get(request.key)
    if row is not None and row.state == "queued":
        queue.enqueue(request.key)
    return superseded
