"""What several behaviours share: the configuration that holds, and planning with a check."""

from __future__ import annotations

import contextlib

from bot.configuration import Configuration
from bot.github.events import Context
from bot.github.protocol import Repository
from bot.github.types import Check, Pull
from bot.jobs.ending import show_superseded
from bot.jobs.planning import plan
from bot.jobs.services import Services, configuration_of
from bot.jobs.types import JobRequest, Kind


def repository_of(context: Context, services: Services) -> Repository:
    """The repository in which something happened."""
    place = context.repository
    return services.github.repository(place.installation, place.full_name)


def configuration(context: Context, services: Services) -> Configuration:
    """What the default branch says."""
    found, _ = configuration_of(repository_of(context, services), context.default_branch)
    return found


def plan_reproduction(
    context: Context, number: int, services: Services, *, requested_by: str = ""
) -> None:
    """Plan to answer an issue; whoever asks again gets another try, once for each delivery."""
    asked = JobRequest(
        Kind.REPRODUCE,
        context.repository,
        number,
        requested_by=requested_by,
        cause=context.delivery,
    )
    request = services.store.jobs.with_round(asked, again=bool(requested_by))
    plan(services.store, services.queue, request)


def plan_verification(
    context: Context,
    pull: Pull,
    services: Services,
    *,
    again: bool = False,
    afresh: bool = False,
    requested_by: str = "",
) -> None:
    """Plan to judge the head of a pull request, and show that it waits.

    `again` makes another try of a head that was judged before, once for each delivery. Checks of
    older heads are told to be superseded. Call this `alone`, with the pull request as it is now.
    """
    asked = JobRequest(
        Kind.VERIFY,
        context.repository,
        pull.number,
        pull.head_sha,
        pull.base_sha,
        afresh=afresh,
        requested_by=requested_by,
        cause=context.delivery,
    )
    show_plan(context, services.store.jobs.with_round(asked, again=again), services)


def alone(
    context: Context, number: int, services: Services
) -> contextlib.AbstractContextManager[None]:
    """Others that plan for the same issue or pull request wait meanwhile.

    Otherwise what one of them asked of GitHub may be outdated by the time at which it plans, and
    two may make the same check or comment.
    """
    return services.store.database.alone("plan", f"{context.repository.full_name}:{number}")


def show_plan(context: Context, request: JobRequest, services: Services) -> None:
    """Plan a verification with its check, and conclude the checks that it supersedes."""
    repository = repository_of(context, services)

    def show() -> None:
        repository.put_check(waiting(request))

    for old in plan(services.store, services.queue, request, show):
        show_superseded(services, old)


def waiting(request: JobRequest) -> Check:
    """The check of a job that waits for a worker."""
    summary = "fixgate will run the tests without this change and with it."
    return Check(request.key, request.head_sha, "Waiting for a worker", summary)
