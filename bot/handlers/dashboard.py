"""Boxes of the issue that lists bug reports: whoever ticks one has fixgate try again."""

from __future__ import annotations

from bot.github.models import Issue, IssueEvent
from bot.handlers.planning import exclusive_lock, plan_reproduction, repository_of
from bot.jobs.dashboard import show_dashboard
from bot.jobs.services import Services
from bot.messages.dashboard import DASHBOARD_MARKER, ticked


def is_dashboard(issue: Issue) -> bool:
    """Whether an issue is a list of bug reports, which is none itself."""
    return issue.user.is_bot and issue.text.startswith(DASHBOARD_MARKER)


def on_dashboard(event: IssueEvent, services: Services) -> None:
    """Plan what was ticked, by somebody who may push; then no box is ticked any more.

    Raises GitHubError.
    """
    if event.action != "edited" or event.sender.is_bot:
        return
    repository, who = repository_of(event, services), event.sender.login
    # As it was with this event: by now the list may have been written anew.
    numbers = ticked(event.issue.text)
    if numbers and repository.permission(who).may_write:
        for number in numbers:
            with exclusive_lock(event, number, services):
                plan_reproduction(event, number, services, again=True, requested_by=who)
    show_dashboard(services, event.place)
