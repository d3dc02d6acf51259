"""A new issue, or one that gets the label, is answered with a reproducing test."""

from __future__ import annotations

import datetime

from bot.configuration import Configuration, ReproduceWhen
from bot.github.events import IssueEvent
from bot.handlers.planning import configuration, plan_reproduction
from bot.jobs.services import Services
from bot.jobs.types import Kind

DAY = datetime.timedelta(days=1)


def happened(event: IssueEvent, services: Services) -> None:
    """Plan an answer where the configuration wants one and the day's limit leaves room."""
    if event.action not in ("opened", "reopened", "labeled") or not event.issue.is_open:
        return
    name, number = event.context.repository.full_name, event.issue.number
    if services.store.pauses.is_paused(name, number) or services.store.pauses.is_paused(name, 0):
        return
    chosen = configuration(event.context, services)
    if not _wanted(event, chosen):
        return
    today = services.store.jobs.planned_since(name, Kind.REPRODUCE, DAY)
    if today < chosen.limits.issues_per_day:
        plan_reproduction(event.context, number, services)


def _wanted(event: IssueEvent, chosen: Configuration) -> bool:
    if chosen.reproduce.when is ReproduceWhen.ALL:
        return event.action != "labeled"
    if chosen.reproduce.when is not ReproduceWhen.LABEL:
        return False
    label = chosen.reproduce.label
    return event.label == label if event.action == "labeled" else label in event.issue.labels
