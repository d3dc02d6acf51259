"""Re-runs and buttons of checks."""

from __future__ import annotations

from bot.errors import ConflictError
from bot.github.events import CheckRunEvent, CheckSuiteEvent, Context
from bot.github.types import Pull
from bot.handlers.planning import alone, plan_verification, repository_of
from bot.jobs.services import Services
from bot.jobs.tests_for import add_tests


def run_happened(event: CheckRunEvent, services: Services) -> None:
    """Judge again, write tests anew, or add the tests to the pull request, as was pressed."""
    if event.action == "rerequested":
        _again(event.context, event.head_sha, event.pulls, services, afresh=False)
    elif event.action == "requested_action" and event.button in ("rerun", "rewrite"):
        afresh = event.button == "rewrite"
        _again(event.context, event.head_sha, event.pulls, services, afresh=afresh)
    elif event.action == "requested_action" and event.button == "add-tests":
        _add_tests(event, services)


def suite_happened(event: CheckSuiteEvent, services: Services) -> None:
    """Judge again; GitHub tells of the suite beside each of its runs."""
    if event.action == "rerequested":
        _again(event.context, event.head_sha, event.pulls, services, afresh=False)


def _again(
    context: Context, sha: str, numbers: tuple[int, ...], services: Services, *, afresh: bool
) -> None:
    """Plan another round, unless one for this head is still to be done."""
    for number in numbers or repository_of(context, services).pulls_of(sha):
        with alone(context, number, services):
            for pull in _pulls(context, sha, (number,), services):
                if not _waits(context, pull, services):
                    plan_verification(
                        context,
                        pull,
                        services,
                        again=True,
                        afresh=afresh,
                        requested_by=context.sender,
                    )


def _pulls(context: Context, sha: str, numbers: tuple[int, ...], services: Services) -> list[Pull]:
    """The pull requests with this head; those of forks are not in the event."""
    repository = repository_of(context, services)
    found = [repository.pull(number) for number in numbers or repository.pulls_of(sha)]
    return [pull for pull in found if pull.head_sha == sha]


def _waits(context: Context, pull: Pull, services: Services) -> bool:
    return any(
        row.repository == context.repository.full_name
        and row.number == pull.number
        and row.head_sha == pull.head_sha
        for row in services.store.jobs.unfinished()
    )


def _add_tests(event: CheckRunEvent, services: Services) -> None:
    """Only somebody who may push gets tests committed; GitHub shows the button to others too."""
    repository = repository_of(event.context, services)
    if not repository.permission(event.context.sender).may_write:
        return
    for pull in _pulls(event.context, event.head_sha, event.pulls, services):
        try:
            add_tests(services, event.context.repository, repository, pull)
        except ConflictError:
            return  # a newer push has its own check with its own button
