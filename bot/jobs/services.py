"""What jobs are done with: the store, GitHub, a workshop for code, and a writer of tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bot.configuration import Configuration, Mistake, read_configuration
from bot.configuration.reading import FILES
from bot.github.protocol import GitHub, Repository
from bot.jobs.mirrors import Mirrors
from bot.store import Store
from evaluator import Workspace, WorkspaceSettings
from generator.method import Method
from generator.methods import method
from generator.model.choosing import ChosenModel


class Queue(Protocol):
    """Where jobs wait for a worker."""

    def enqueue(self, key: str) -> None:
        """Queue a job by its key; one that is queued or runs already is not queued again."""
        ...

    def stop(self, key: str) -> None:
        """Take a job out, or really stop it, with all that it runs."""
        ...


@dataclass(frozen=True)
class ChosenMethod:
    """How tests are written: a method, and a model where it needs one."""

    method: Method = field(default_factory=lambda: method("issue-only"))
    model: ChosenModel | None = None


@dataclass(frozen=True)
class Services:
    """Everything a job needs. `data` is where mirrors, caches and trajectories lie.

    `workspace` makes the workspace of a mirror; `public_url` is that of the dashboard, "" without.
    """

    store: Store
    github: GitHub
    queue: Queue
    data: Path
    workspace: Callable[[Path], Workspace]
    writer: ChosenMethod = field(default_factory=ChosenMethod)
    reruns: int = 2
    public_url: str = ""

    @property
    def mirrors(self) -> Mirrors:
        """The mirrors of the repositories that the App is installed on."""
        return Mirrors(self.data / "mirrors")


def workspaces(
    settings: WorkspaceSettings, make: Callable[[WorkspaceSettings], Workspace]
) -> Callable[[Path], Workspace]:
    """Makes the workspace of a mirror from settings that otherwise are the same for all."""

    def workspace(mirror: Path) -> Workspace:
        return make(dataclasses.replace(settings, repositories=(str(mirror),)))

    return workspace


def configuration_of(
    repository: Repository, reference: str
) -> tuple[Configuration, tuple[Mistake, ...]]:
    """What the repository's file says at a branch or commit; the defaults where there is none."""
    for path in FILES:
        content = repository.file(path, reference)
        if content is not None:
            return read_configuration(content.decode("utf-8", "replace"))
    return Configuration(), ()
