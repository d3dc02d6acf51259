"""A merge queue waits for the check of every group: its head is judged like a pull request's."""

from __future__ import annotations

from bot.github.events import MergeGroupEvent
from bot.handlers.planning import show_plan
from bot.jobs.services import Services
from bot.jobs.types import JobRequest, Kind


def happened(event: MergeGroupEvent, services: Services) -> None:
    """Plan to judge a group; one that is gone needs no judgement."""
    request = JobRequest(Kind.VERIFY, event.context.repository, 0, event.head_sha, event.base_sha)
    if event.action == "checks_requested":
        show_plan(event.context, request, services)
    elif event.action == "destroyed":
        services.queue.stop(request.key)
