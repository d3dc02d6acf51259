"""A new issue, or one that gets the label, is answered with a reproducing test."""

from __future__ import annotations

import datetime

from bot.configuration import Configuration, ReproduceWhen
from bot.github.models import IssueEvent
from bot.handlers.planning import configuration, is_paused, plan_reproduction
from bot.jobs.services import Services
from bot.jobs.types import JobKind

DAY = datetime.timedelta(days=1)


def on_issue(event: IssueEvent, services: Services) -> None:
    """Plan an answer where the configuration wants one and the day's limit leaves room."""
    if event.action not in ("opened", "reopened", "labeled") or not event.issue.is_open:
        return
    if is_paused(event, event.issue.number, services):
        return
    chosen = configuration(event, services)
    if not _wanted(event, chosen):
        return
    today = services.store.jobs.planned_since(event.place.full_name, JobKind.REPRODUCE, DAY)
    if today < chosen.limits.issues_per_day:
        plan_reproduction(event, event.issue.number, services)


def _wanted(event: IssueEvent, chosen: Configuration) -> bool:
    if chosen.reproduce.when is ReproduceWhen.ALL:
        return event.action != "labeled"
    if chosen.reproduce.when is not ReproduceWhen.LABEL:
        return False
    label = chosen.reproduce.label
    if event.action == "labeled":
        return event.label is not None and event.label.name == label
    return label in event.issue.label_names
