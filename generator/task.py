"""What a writer is given: an issue and the code as it is, and nothing of any fix."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

from evaluator import Instance, Subject, Workspace, commit_of, discover_recipe
from evaluator.checkout import Mirror
from evaluator.swtbench.subjects import base_subject


@dataclass(frozen=True)
class Task:
    """One issue to reproduce.

    `issue` is its title and text. `subject` is the repository at the base commit with no fix:
    `subject.pristine` its tree on disk (never to be written to), `subject.source` reads from it.
    `mirror` reads its history, of which only ancestors of `subject.commit` may be looked at.
    """

    instance_id: str
    issue: str
    subject: Subject
    mirror: Mirror


LOCAL = "local"
"""The id of a task that does not come from a benchmark."""


def instance_task(workspace: Workspace, instance: Instance) -> Task:
    """What a writer may know of an instance: its issue and the base commit, nothing later.

    Raises CheckoutError or EnvironmentBuildError.
    """
    subject = base_subject(workspace, instance)
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
