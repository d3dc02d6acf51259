"""A pull request is judged when it comes, when it is pushed to, and when its base changes."""

from __future__ import annotations

from bot.configuration import VerifyWhen
from bot.events.planning import configuration, plan_verification, repository_of
from bot.github.events import PullEvent
from bot.github.types import RepositoryId
from bot.jobs.ending import superseded
from bot.jobs.services import Services
from bot.jobs.types import JobRequest, Kind

_JUDGED = frozenset({"opened", "synchronize", "reopened", "ready_for_review"})


def happened(event: PullEvent, services: Services) -> None:
    """Plan a verification, or end the work for a pull request that is closed."""
    if event.action == "closed":
        _end(event, services)
        return
    edited = event.action == "edited" and event.changed & {"base", "body"}
    if event.action not in _JUDGED and not edited:
        return
    name, number = event.context.repository.full_name, event.pull.number
    if services.store.pauses.is_paused(name, number) or services.store.pauses.is_paused(name, 0):
        return
    chosen = configuration(event.context, services).verify
    if chosen.when is VerifyWhen.ALL and (chosen.drafts or not event.pull.is_draft):
        plan_verification(event.context, event.pull, services, again=bool(edited))


def _end(event: PullEvent, services: Services) -> None:
    nothing = _nothing(event.context.repository, event.pull.number)
    repository = repository_of(event.context, services)
    for old in services.store.jobs.supersede(nothing):
        services.queue.stop(old.key)
        repository.put_check(superseded(old))


def _nothing(repository: RepositoryId, number: int) -> JobRequest:
    """A request that is never planned; it stands for nothing in the lane being wanted any more."""
    return JobRequest(Kind.VERIFY, repository, number, head_sha="closed")
