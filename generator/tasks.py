"""Tasks made of a benchmark's instances, and of a local repository with an issue."""

from __future__ import annotations

import datetime
from pathlib import Path

from evaluator.environment.discovery import discover_recipe
from evaluator.instance import Instance
from evaluator.swtbench.replay import recipe_of
from evaluator.verification.change import commit_of
from evaluator.workspace import Workspace
from generator.task import Task

LOCAL = "local"
"""The id of a task that does not come from a benchmark."""


def instance_task(workspace: Workspace, instance: Instance) -> Task:
    """What a writer may know of an instance: its issue and the base commit, nothing later.

    Raises CheckoutError or EnvironmentBuildError.
    """
    subject = workspace.base(
        instance.repo,
        instance.base_commit,
        lambda tree: recipe_of(instance, tree),
        instance.created_at,
    )
    mirror = workspace.repositories.find(instance.repo, instance.base_commit)
    return Task(instance.instance_id, instance.problem_statement, subject, mirror)


def local_task(
    workspace: Workspace,
    repository: Path,
    revision: str,
    issue: str,
    date: datetime.datetime | None = None,
) -> Task:
    """The task of a local repository at a revision. Raises as `instance_task` does."""
    commit = commit_of(repository, revision, workspace.cache)
    name = f"local/{repository.resolve().name}"
    subject = workspace.base(name, commit, discover_recipe, date)
    return Task(LOCAL, issue, subject, workspace.repositories.find(name, commit))
