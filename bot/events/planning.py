"""What several behaviours share: the configuration that holds, and planning with a check."""

from __future__ import annotations

import dataclasses

from bot.configuration import Configuration
from bot.github.events import Context
from bot.github.protocol import Repository
from bot.github.types import Check, Pull
from bot.jobs.ending import superseded
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
    """Plan to answer an issue; whoever asks again gets another try."""
    request = JobRequest(Kind.REPRODUCE, context.repository, number, requested_by=requested_by)
    rounds = services.store.jobs.rounds(request.lane, "") if requested_by else 0
    plan(services.store, services.queue, dataclasses.replace(request, round=rounds))


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

    `again` makes another try of a head that was judged before. Checks of older heads are told to
    be superseded.
    """
    request = JobRequest(
        Kind.VERIFY,
        context.repository,
        pull.number,
        pull.head_sha,
        pull.base_sha,
        afresh=afresh,
        requested_by=requested_by,
    )
    rounds = services.store.jobs.rounds(request.lane, pull.head_sha) if again else 0
    show_plan(context, dataclasses.replace(request, round=rounds), services)


def show_plan(context: Context, request: JobRequest, services: Services) -> None:
    """Plan a verification with its check, and conclude the checks that it supersedes."""
    repository = repository_of(context, services)
    known = services.store.jobs.get(request.key)
    # Before it is queued: a job may end at once, and its own word must be the last.
    if known is None:
        repository.put_check(waiting(request))
    for old in plan(services.store, services.queue, request):
        repository.put_check(superseded(old))


def waiting(request: JobRequest) -> Check:
    """The check of a job that waits for a worker."""
    summary = "fixgate will run the tests without this change and with it."
    return Check(request.key, request.head_sha, "Waiting for a worker", summary)
