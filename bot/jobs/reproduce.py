"""Answers an issue: one comment, edited in place, with a test or an honest "could not"."""

from __future__ import annotations

from bot.configuration import Configuration
from bot.github.protocol import Repository
from bot.jobs.services import Services, configuration_of
from bot.jobs.types import JobRequest
from bot.jobs.writing import write_tests
from bot.messages.reproduction import marker, reproduction, working
from evaluator import commit_of
from generator.costs import CostTracker
from generator.writer import Written

REPRODUCED, NEEDS = "reproduced", "needs-reproduction"


def reproduce(services: Services, request: JobRequest) -> CostTracker:
    """Write a test for the issue on the default branch, and say what came of it.

    Where the configuration wants silence without a test, nothing is said, unless somebody asked.
    Raises GitHubError, CheckoutError, EnvironmentBuildError or SandboxError.
    """
    repository = services.github.repository(
        request.repository.installation, request.repository.full_name
    )
    branch = repository.default_branch()
    configuration, _ = configuration_of(repository, branch)
    issue = repository.issue(request.number)
    speaks = bool(request.requested_by) or not configuration.reproduce.silent_without_test
    if speaks:
        repository.put_comment(request.number, marker(request.number), working(request.number))
    reference = f"refs/heads/{branch}"
    mirror = services.mirrors.fetch(repository, request.repository.full_name, [reference])
    commit = commit_of(mirror, f"refs/fixgate/heads/{branch}", services.data)
    written, account = write_tests(
        services,
        request.repository,
        issue,
        mirror=mirror,
        commit=commit,
        limits=configuration.limits,
    )
    _answer(repository, request, configuration, written, commit, speaks=speaks)
    return account


def _answer(
    repository: Repository,
    request: JobRequest,
    configuration: Configuration,
    written: Written,
    commit: str,
    *,
    speaks: bool,
) -> None:
    number = request.number
    if speaks or written.patch:
        text = reproduction(number, written, commit=commit, command=written.command)
        repository.put_comment(number, marker(number), text)
    if configuration.reproduce.labels:
        repository.set_label(number, REPRODUCED, present=bool(written.patch))
        repository.set_label(number, NEEDS, present=not written.patch)
