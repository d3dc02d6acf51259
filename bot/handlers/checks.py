"""Re-runs and buttons of checks."""

from __future__ import annotations

from bot.errors import ConflictError
from bot.github.models import CheckRunEvent, CheckSuiteEvent, Pull
from bot.handlers.planning import exclusive_lock, plan_verification, repository_of
from bot.jobs.add_tests import add_tests
from bot.jobs.services import Services


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
