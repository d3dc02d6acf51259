"""What the App does when something happens on GitHub: which handler takes which event."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TypeVar

from bot.github.models import (
    CheckRunEvent,
    CheckSuiteEvent,
    CommentEvent,
    Event,
    IssueEvent,
    MergeGroupEvent,
    PullEvent,
    checked,
)
from bot.github.types import Webhook
from bot.handlers.comments import on_comment
from bot.handlers.events import on_check_run, on_check_suite, on_issue, on_merge_group, on_pull
from bot.jobs.services import Services

OneEvent = TypeVar("OneEvent", bound=Event)


def handle(webhook: Webhook, services: Services) -> None:
    """Plan what a webhook asks for; events of no interest are passed over.

    Handling one twice does no more than handling it once. Raises PayloadError for a payload that
    cannot be read, and GitHubError when GitHub cannot be asked.
    """
    handler = _HANDLERS.get(webhook.event)
    if handler is not None:
        handler(webhook, services)


def read_event(model: type[OneEvent], webhook: Webhook) -> OneEvent:
    """The event in a webhook. Raises PayloadError naming the field that is missing or wrong."""
    return checked(model, {**json.loads(webhook.payload), "delivery": webhook.delivery})


def _handler(
    model: type[OneEvent], act: Callable[[OneEvent, Services], None]
) -> Callable[[Webhook, Services], None]:
    return lambda webhook, services: act(read_event(model, webhook), services)


_HANDLERS: Mapping[str, Callable[[Webhook, Services], None]] = {
    "issues": _handler(IssueEvent, on_issue),
    "issue_comment": _handler(CommentEvent, on_comment),
    "pull_request": _handler(PullEvent, on_pull),
    "check_run": _handler(CheckRunEvent, on_check_run),
    "check_suite": _handler(CheckSuiteEvent, on_check_suite),
    "merge_group": _handler(MergeGroupEvent, on_merge_group),
}
