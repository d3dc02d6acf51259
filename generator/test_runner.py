"""Runs candidate tests and commands on one base commit, always inside the sandbox."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from pathlib import Path

from evaluator import Revision, Run, Shell, Subject, Workspace, files_to_run
from evaluator.diff import Changes


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
    def shell(self, changes: Changes | None = None) -> Iterator[Shell]:
        """A work tree of the base commit in which commands can be run one after the other."""
        with self._workspace.shell(self.subject, changes or Changes()) as shell:
            yield shell
