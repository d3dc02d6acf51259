"""What a writer works with: an issue and the code as it is, what runs there, what is proposed."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evaluator import (
    Instance,
    Revision,
    Run,
    Shell,
    Subject,
    Workspace,
    commit_of,
    discover_recipe,
    files_to_run,
)
from evaluator.checkout import Mirror, local_name
from evaluator.diff import Changes
from evaluator.swtbench.trial import base_subject
from generator.rules import Denial


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
    name = local_name(repository)
    subject = workspace.base(name, commit, discover_recipe, date)
    return Task(LOCAL, issue, subject, workspace.repositories.find(name, commit))


class TestRunner:
    """Runs tests and commands on one base commit. Safe to call from several threads."""

    __test__ = False

    def __init__(self, workspace: Workspace, subject: Subject) -> None:
        self._workspace = workspace
        self.subject = subject

    @property
    def cache(self) -> Path:
        """The directory of what is kept between tasks and runs."""
        return self._workspace.cache

    def run_tests(self, tests: Changes, *, fix: Changes | None = None, attempt: int = 0) -> Run:
        """Run the test files that `tests` holds on the base commit, or on it with a fix.

        The same content is run once and kept; `attempt` numbers repeated runs,
        each with another hash seed. Raises SandboxError.
        """
        files = files_to_run(tests)
        if fix is None:
            return self._workspace.executor.run(
                self.subject, Revision.BASE, tests, files, attempt=attempt
            )
        fixed = dataclasses.replace(self.subject, fix=fix)
        return self._workspace.executor.run(fixed, Revision.FIXED, tests, files, attempt=attempt)

    def run_standing(self, files: tuple[str, ...]) -> Run:
        """Run test files as they stand in the base commit."""
        return self._workspace.executor.run(self.subject, Revision.BASE, Changes(), files)

    @contextlib.contextmanager
    def shell(self, changes: Changes | None = None, *, repository: bool = False) -> Iterator[Shell]:
        """A work tree of the base commit in which commands can be run one after the other.

        With `repository`, git knows it as one commit.
        """
        made = self._workspace.shell(self.subject, changes or Changes(), repository=repository)
        with made as shell:
            yield shell


class Correctness(enum.StrEnum):
    """Whether tests are right: they fail without the true fix and pass with it."""

    UNKNOWN = "unknown"
    RIGHT = "right"
    WRONG = "wrong"


@dataclass(frozen=True)
class Candidate:
    """Tests that a method proposes.

    `tests` holds the new contents of test files, relative to the base commit; it is empty where
    nothing in the proposal could be applied. `origin` is the method or the stage of one that made
    it, `note` says in a sentence what it shows. `raw` is the proposal as it was written, which is
    what well-formedness is judged by, and `problem` why (part of) it could not be used. Where it
    was written from the report alone, `rules` names all rules that it rests on, `confidence` is
    how sure the first of them is, and `denies` what it says only that it must not be.
    `verdict` is known in replay only.
    """

    tests: Changes
    origin: str
    note: str = ""
    raw: str = ""
    problem: str = ""
    symptoms: tuple[str, ...] = field(default=())
    rules: tuple[str, ...] = ()
    confidence: float = 0.0
    denies: Denial = Denial.NOTHING
    verdict: Correctness = Correctness.UNKNOWN
