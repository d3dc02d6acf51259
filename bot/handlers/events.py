"""What the App does on issues, pull requests, merge queues, and buttons of checks."""

from __future__ import annotations

import datetime

from bot.configuration import Configuration, ReproduceWhen, VerifyWhen
from bot.errors import ConflictError
from bot.github.models import (
    CheckRunEvent,
    CheckSuiteEvent,
    IssueEvent,
    MergeGroupEvent,
    Pull,
    PullEvent,
)
from bot.github.types import RepositoryId
from bot.handlers.dashboard import is_dashboard, on_dashboard
from bot.handlers.edits import wants_another_test
from bot.handlers.planning import (
    configuration,
    exclusive_lock,
    is_paused,
    plan_check,
    plan_reproduction,
    plan_verification,
    repository_of,
)
from bot.jobs.add_tests import add_tests
from bot.jobs.dashboard import show_dashboard
from bot.jobs.run import show_superseded
from bot.jobs.services import Services
from bot.jobs.types import JobKind, JobRequest

DAY = datetime.timedelta(days=1)


def on_issue(event: IssueEvent, services: Services) -> None:
    """Plan an answer where the configuration wants one and the day's limit leaves room."""
    if is_dashboard(event.issue):
        on_dashboard(event, services)
        return
    if event.action in ("closed", "reopened"):
        show_dashboard(services, event.place)
    if event.action not in ("opened", "reopened", "labeled", "edited") or not event.issue.is_open:
        return
    if is_paused(event, event.issue.number, services):
        return
    again = event.action == "edited"
    if again and not wants_another_test(event, services):
        return
    chosen = configuration(event, services)
    if not _wanted(event, chosen):
        return
    today = services.store.jobs.planned_since(event.place.full_name, JobKind.REPRODUCE, DAY)
    if today < chosen.limits.issues_per_day:
        plan_reproduction(event, event.issue.number, services, again=again)


def _wanted(event: IssueEvent, chosen: Configuration) -> bool:
    if chosen.reproduce.when is ReproduceWhen.ALL:
        return event.action != "labeled"
    if chosen.reproduce.when is not ReproduceWhen.LABEL:
        return False
    label = chosen.reproduce.label
    if event.action == "labeled":
        return event.label is not None and event.label.name == label
    return label in event.issue.label_names


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


def on_merge_group(event: MergeGroupEvent, services: Services) -> None:
    """Plan to judge a group; one that is gone needs no judgement."""
    group = event.merge_group
    request = JobRequest(JobKind.VERIFY, event.place, 0, group.head_sha, group.base_sha)
    if event.action == "checks_requested":
        plan_check(event, request, services)
    elif event.action == "destroyed":
        services.queue.stop(request.key)


def on_check_run(event: CheckRunEvent, services: Services) -> None:
    """Judge again, regenerate tests, or add the tests to the pull request, as was pressed."""
    button = event.requested_action.identifier
    if event.action == "rerequested":
        _judge_again(event, event.check_run.head_sha, services)
    elif event.action == "requested_action" and button in ("rerun", "rewrite"):
        regenerate = button == "rewrite"
        _judge_again(event, event.check_run.head_sha, services, regenerate_tests=regenerate)
    elif event.action == "requested_action" and button == "add-tests":
        _add_tests(event, services)


def on_check_suite(event: CheckSuiteEvent, services: Services) -> None:
    """Judge again; GitHub reports the suite beside each of its runs."""
    if event.action == "rerequested":
        _judge_again(event, event.check_suite.head_sha, services)


def _judge_again(
    event: CheckRunEvent | CheckSuiteEvent,
    sha: str,
    services: Services,
    *,
    regenerate_tests: bool = False,
) -> None:
    """Plan another round, unless one for this head is still to be done."""
    for number in event.pulls or repository_of(event, services).pulls_of(sha):
        with exclusive_lock(event, number, services):
            pull = repository_of(event, services).pull(number)
            if pull.head.sha == sha and not _waits(event, pull, services):
                plan_verification(
                    event,
                    pull,
                    services,
                    again=True,
                    regenerate_tests=regenerate_tests,
                    requested_by=event.sender.login,
                )


def _waits(event: CheckRunEvent | CheckSuiteEvent, pull: Pull, services: Services) -> bool:
    return any(
        row.repository == event.place.full_name
        and row.number == pull.number
        and row.head_sha == pull.head.sha
        for row in services.store.jobs.unfinished()
    )


def _add_tests(event: CheckRunEvent, services: Services) -> None:
    """Only somebody who may push gets tests committed; GitHub shows the button to others too."""
    repository, sha = repository_of(event, services), event.check_run.head_sha
    if not repository.permission(event.sender.login).may_write:
        return
    for number in event.pulls or repository.pulls_of(sha):
        pull = repository.pull(number)
        if pull.head.sha == sha:
            try:
                add_tests(services, event.place, repository, pull)
            except ConflictError:
                return  # a newer push has its own check with its own button
