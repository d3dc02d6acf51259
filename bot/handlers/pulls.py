"""A pull request is judged when it comes, when it is pushed to, and when its base changes."""

from __future__ import annotations

from bot.configuration import VerifyWhen
from bot.github.events import PullEvent
from bot.github.types import Pull, RepositoryId
from bot.handlers.planning import alone, configuration, plan_verification, repository_of
from bot.jobs.ending import show_superseded
from bot.jobs.services import Services
from bot.jobs.types import JobRequest, Kind

_JUDGED = frozenset({"opened", "synchronize", "reopened", "ready_for_review"})


def happened(event: PullEvent, services: Services) -> None:
    """Plan a verification, or end the work for a pull request that is closed."""
    edited = event.action == "edited" and event.changed & {"base", "body"}
    if event.action not in _JUDGED | {"closed"} and not edited:
        return
    with alone(event.context, event.pull.number, services):
        # As it is now: deliveries come late, and in any order.
        pull = repository_of(event.context, services).pull(event.pull.number)
        if not pull.is_open:
            _end(event, services)
        elif event.action != "closed":
            _judge(event, pull, services, again=bool(edited))


def _judge(event: PullEvent, pull: Pull, services: Services, *, again: bool) -> None:
    name, number = event.context.repository.full_name, pull.number
    if services.store.pauses.is_paused(name, number) or services.store.pauses.is_paused(name, 0):
        return
    chosen = configuration(event.context, services).verify
    if chosen.when is VerifyWhen.ALL and (chosen.drafts or not pull.is_draft):
        plan_verification(event.context, pull, services, again=again)
        _pass_over(event, services)


def _end(event: PullEvent, services: Services) -> None:
    nothing = _nothing(event.context.repository, event.pull.number)
    for old in services.store.jobs.supersede(nothing):
        services.queue.stop(old.key)
        show_superseded(services, old)
    if event.action != "closed":
        _pass_over(event, services)


def _pass_over(event: PullEvent, services: Services) -> None:
    """Say of a head that was left behind before anybody looked at it that nobody will."""
    place, pull = event.context.repository, event.pull
    request = JobRequest(Kind.VERIFY, place, pull.number, pull.head_sha, pull.base_sha)
    if not services.store.jobs.rounds(request.lane, request.head_sha):
        show_superseded(services, request)


def _nothing(repository: RepositoryId, number: int) -> JobRequest:
    """A request that is never planned; it stands for nothing in the lane being wanted any more."""
    return JobRequest(Kind.VERIFY, repository, number, head_sha="closed")
