"""A merge queue waits for the check of every group: its head is judged like a pull request's."""

from __future__ import annotations

from bot.github.models import MergeGroupEvent
from bot.handlers.planning import plan_check
from bot.jobs.services import Services
from bot.jobs.types import JobKind, JobRequest


def on_merge_group(event: MergeGroupEvent, services: Services) -> None:
    """Plan to judge a group; one that is gone needs no judgement."""
    group = event.merge_group
    request = JobRequest(JobKind.VERIFY, event.place, 0, group.head_sha, group.base_sha)
    if event.action == "checks_requested":
        plan_check(event, request, services)
    elif event.action == "destroyed":
        services.queue.stop(request.key)
