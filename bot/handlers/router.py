"""Finds the behaviours for an event."""

from __future__ import annotations

from bot.github.events import (
    CheckRunEvent,
    CheckSuiteEvent,
    CommentEvent,
    IssueEvent,
    MergeGroupEvent,
    PullEvent,
    read_event,
)
from bot.github.types import Event
from bot.handlers import checks, comments, issues, merge_queue, pulls
from bot.jobs.services import Services


def handle(event: Event, services: Services) -> None:
    """Plan what an event asks for; events of no interest are passed over.

    Handling an event twice does no more than handling it once. Raises PayloadError for a payload
    that cannot be read, and GitHubError when GitHub cannot be asked.
    """
    typed = read_event(event)
    match typed:
        case IssueEvent():
            issues.happened(typed, services)
        case CommentEvent():
            comments.happened(typed, services)
        case PullEvent():
            pulls.happened(typed, services)
        case CheckRunEvent():
            checks.run_happened(typed, services)
        case CheckSuiteEvent():
            checks.suite_happened(typed, services)
        case MergeGroupEvent():
            merge_queue.happened(typed, services)
        case _:
            pass
