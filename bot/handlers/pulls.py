"""A pull request is judged when it comes, when it is pushed to, and when its base changes."""

from __future__ import annotations

from bot.configuration import VerifyWhen
from bot.github.models import Pull, PullEvent
from bot.github.types import RepositoryId
from bot.handlers.planning import (
    configuration,
    exclusive_lock,
    is_paused,
    plan_verification,
    repository_of,
)
from bot.jobs.ending import show_superseded
from bot.jobs.services import Services
from bot.jobs.types import JobKind, JobRequest

_JUDGED = frozenset({"opened", "synchronize", "reopened", "ready_for_review"})


def on_pull(event: PullEvent, services: Services) -> None:
    """Plan a verification, or end the work for a pull request that is closed."""
    edited = event.action == "edited" and bool(event.changed & {"base", "body"})
    if event.action not in _JUDGED | {"closed"} and not edited:
        return
    with exclusive_lock(event, event.pull.number, services):
        # As it is now: deliveries come late, and in any order.
        pull = repository_of(event, services).pull(event.pull.number)
        if not pull.is_open:
            _end(event, services)
        elif event.action != "closed":
            _judge(event, pull, services, again=edited)


def _judge(event: PullEvent, pull: Pull, services: Services, *, again: bool) -> None:
    if is_paused(event, pull.number, services):
        return
    chosen = configuration(event, services).verify
    if chosen.when is VerifyWhen.ALL and (chosen.drafts or not pull.draft):
        plan_verification(event, pull, services, again=again)
        _show_passed_over(event, services)


def _end(event: PullEvent, services: Services) -> None:
    nothing = _nothing(event.place, event.pull.number)
    for old in services.store.jobs.supersede(nothing):
        services.queue.stop(old.key)
        show_superseded(services, old)
    if event.action != "closed":
        _show_passed_over(event, services)


def _show_passed_over(event: PullEvent, services: Services) -> None:
    """Say of a head that was left behind before anybody looked at it that nobody will."""
    pull = event.pull
    request = JobRequest(JobKind.VERIFY, event.place, pull.number, pull.head.sha, pull.base.sha)
    if not services.store.jobs.rounds(request.concurrency_key, request.head_sha):
        show_superseded(services, request)


def _nothing(repository: RepositoryId, number: int) -> JobRequest:
    """A request that is never planned; it says that no job of the pull request is wanted."""
    return JobRequest(JobKind.VERIFY, repository, number, head_sha="closed")
