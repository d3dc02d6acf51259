"""Tests for an issue: those that were kept, or new ones, written without sight of any fix."""

from __future__ import annotations

from pathlib import Path

from bot.configuration import Limits
from bot.github.models import Issue
from bot.github.types import RepositoryId
from bot.jobs.services import Services
from bot.store.kept_tests import KeptTests
from evaluator import Revision, Workspace, discover_recipe
from generator.costs import Budget, CostTracker
from generator.method import MethodContext, MethodSettings
from generator.model.tracked import TrackedModel
from generator.task import Task
from generator.test_runner import TestRunner
from generator.trajectory import Trajectory
from generator.trajectory.recorder import SUFFIX, TrajectoryRecorder
from generator.writer import Written, write


def write_tests(
    services: Services,
    repository: RepositoryId,
    issue: Issue,
    *,
    mirror: Path,
    commit: str,
    limits: Limits,
) -> tuple[Written, CostTracker]:
    """Write tests for an issue at a commit, and keep them; what was spent stands in the account.

    Raises CheckoutError, EnvironmentBuildError or SandboxError.
    """
    workspace = services.workspace(mirror)
    task = _task(workspace, repository, issue, commit)
    account = CostTracker(Budget(limits.usd_per_issue, limits.minutes_per_issue), what="this issue")
    name = f"{repository.full_name.replace('/', '+')}-{issue.number}"
    recorder = TrajectoryRecorder(
        services.data / "trajectories" / f"{name}{SUFFIX}",
        {"repository": repository.full_name, "issue": issue.number},
        statistics=lambda: account.spending.statistics(),
    )
    work = MethodContext(
        task,
        TestRunner(workspace, task.subject),
        MethodSettings(),
        recorder,
        _model(services, account, recorder),
    )
    written = write(services.writer.method, work)
    recorder.finish(written.exit, written.patch, {"reason": written.reason})
    if written.patch:
        services.store.tests.keep(repository.full_name, _kept(services, issue, task, written))
    return written, account


def _task(workspace: Workspace, repository: RepositoryId, issue: Issue, commit: str) -> Task:
    subject = workspace.base(repository.full_name, commit, discover_recipe)
    mirror = workspace.repositories.find(repository.full_name, commit)
    name = f"{repository.full_name.replace('/', '__')}-{issue.number}"
    return Task(name, f"{issue.title}\n\n{issue.text}", subject, mirror)


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
