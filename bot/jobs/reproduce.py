"""Answers an issue: one comment, edited in place, with a test or an honest "could not"."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from bot.configuration import Configuration, Limits, Reproduce
from bot.github.models import Issue
from bot.github.protocol import Repository
from bot.github.types import RepositoryId
from bot.jobs.services import Services, configuration_of
from bot.jobs.types import JobRequest
from bot.messages.comments import SAME_AGAIN, issue_marker, reproduction, working
from bot.store.kept_tests import KeptTests
from bot.telemetry import span
from evaluator import Revision, Workspace, commit_of, discover_recipe
from generator.costs import Budget, CostTracker
from generator.method import MethodContext, MethodSettings
from generator.model.tracked import TrackedModel
from generator.rules import Denial, RuleSettings
from generator.task import Task, TestRunner
from generator.trajectory import Trajectory
from generator.trajectory.recorder import SUFFIX, TrajectoryRecorder
from generator.writer import Written, write

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
        repository.put_comment(
            request.number, issue_marker(request.number), working(request.number)
        )
    reference = f"refs/heads/{branch}"
    full_name = request.repository.full_name
    mirror = services.mirrors.fetch(repository, full_name, [reference])
    commit = commit_of(mirror, f"refs/fixgate/heads/{branch}", services.data)
    services.mirrors.fetch_submodules(repository, full_name, commit, services.data)
    written, account = write_tests(
        services,
        request.repository,
        issue,
        mirror=mirror,
        commit=commit,
        configuration=configuration,
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
        repository.put_comment(number, issue_marker(number), text)
    if configuration.reproduce.labels:
        repository.set_label(number, REPRODUCED, present=bool(written.patch))
        repository.set_label(number, NEEDS, present=not written.patch)


def write_tests(
    services: Services,
    repository: RepositoryId,
    issue: Issue,
    *,
    mirror: Path,
    commit: str,
    configuration: Configuration,
) -> tuple[Written, CostTracker]:
    """Write tests for an issue at a commit, and keep them; what was spent stands in the account.

    Raises CheckoutError, EnvironmentBuildError or SandboxError.
    """
    workspace = services.workspace(mirror)
    task = _task(workspace, repository, issue, commit)
    account = CostTracker(_budget(configuration.limits), what="this issue")
    name = f"{repository.full_name.replace('/', '+')}-{issue.number}"
    recorder = TrajectoryRecorder(
        services.data / "trajectories" / f"{name}{SUFFIX}",
        {"repository": repository.full_name, "issue": issue.number},
        statistics=lambda: account.spending.statistics(),
    )
    work = MethodContext(
        task,
        TestRunner(workspace, task.subject),
        MethodSettings(rules=_rules(configuration.reproduce)),
        recorder,
        _model(services, account, recorder),
    )
    with span("write tests"):
        proposed = write(services.writer.method, work)
    written = _unless_retired(services, repository, issue, proposed)
    recorder.finish(written.exit, written.patch, {"reason": written.reason})
    if written.patch:
        services.store.tests.keep(repository.full_name, _kept(services, issue, task, written))
    return written, account


def _budget(limits: Limits) -> Budget:
    return Budget(limits.usd_per_issue, limits.minutes_per_issue)


def _rules(wanted: Reproduce) -> RuleSettings:
    return RuleSettings(denials=tuple(map(Denial, wanted.denials)))


def _unless_retired(
    services: Services, repository: RepositoryId, issue: Issue, written: Written
) -> Written:
    """Without the tests where the same ones were called wrong before."""
    gone = services.store.tests.retired(repository.full_name, issue.number)
    if written.patch not in {tests.patch for tests in gone}:
        return written
    return dataclasses.replace(written, patch="", problem=SAME_AGAIN)


def _task(workspace: Workspace, repository: RepositoryId, issue: Issue, commit: str) -> Task:
    subject = workspace.base(repository.full_name, commit, discover_recipe)
    mirror = workspace.repositories.find(repository.full_name, commit)
    name = f"{repository.full_name.replace('/', '__')}-{issue.number}"
    return Task(name, issue.report, subject, mirror)


def _model(services: Services, account: CostTracker, trajectory: Trajectory) -> TrackedModel | None:
    chosen = services.writer.model
    if chosen is None:
        return None
    return TrackedModel(chosen.model, account, trajectory, chosen.price)


def _kept(services: Services, issue: Issue, task: Task, written: Written) -> KeptTests:
    return KeptTests(
        issue=issue.number,
        commit=task.subject.commit,
        patch=written.patch,
        reason=written.reason,
        confidence=written.confidence,
        method=services.writer.method.name,
        environment=task.subject.environments[Revision.BASE].key,
    )
