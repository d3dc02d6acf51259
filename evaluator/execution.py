"""Runs test files on one side or both sides of a fix, each distinct run once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from evaluator.checkout import Trees
from evaluator.diff import ChangedLines, Changes, Source
from evaluator.environment.types import Environment
from evaluator.languages import Language, language
from evaluator.model import Revision as Revision
from evaluator.model import Run
from evaluator.run import RecordMode, RunRequest, run_tests, runner_digest
from evaluator.sandbox.guise import guise_of
from evaluator.sandbox.protocol import ResourceLimits, Sandbox
from evaluator.steps import Observe, unobserved
from evaluator.storage.keys import content_key
from evaluator.storage.runs import RunCache

_Task = TypeVar("_Task")
_Done = TypeVar("_Done")


@dataclass(frozen=True)
class Subject:
    """A repository at a base commit, and a fix for it: what tests are run on.

    `pristine` is the checked-out base commit, `source` reads from it, `fix` is X as contents and
    `lines` its changed lines. `environments` may differ where X touches compiled sources.
    """

    repo: str
    commit: str
    pristine: Path
    source: Source
    fix: Changes
    lines: ChangedLines
    environments: Mapping[Revision, Environment]

    @property
    def language(self) -> Language:
        """The language of its environments."""
        return language(self.environments[Revision.BASE].recipe.language)

    def traced(self, revision: Revision) -> Mapping[str, frozenset[int]]:
        """The changed lines that exist on a side: removed ones on R, added ones on R∘X."""
        lines = self.lines.removed if revision is Revision.BASE else self.lines.added
        return {path: frozenset(numbers) for path, numbers in lines.items() if numbers}


@dataclass(frozen=True)
class RunPair:
    """The same test files run on both sides."""

    base: Run
    fixed: Run

    def on(self, revision: Revision) -> Run:
        """The run of one side."""
        return self.base if revision is Revision.BASE else self.fixed


@dataclass(frozen=True)
class _Selection:
    """What is run of a tree, for which attempt, how long, and what is recorded."""

    files: tuple[str, ...]
    attempt: int
    only: frozenset[str]
    seconds: float | None
    record: RecordMode


class Executor:
    """Makes runs in work trees of their own, inside a sandbox, and keeps them by content."""

    def __init__(
        self,
        sandbox: Sandbox,
        trees: Trees,
        cache: RunCache,
        *,
        limits: ResourceLimits | None = None,
        side_by_side: bool = True,
        observe: Observe = unobserved,
    ) -> None:
        self.observe = observe
        self._sandbox = sandbox
        self._trees = trees
        self._cache = cache
        self._limits = limits or ResourceLimits()
        self._side_by_side = side_by_side

    @property
    def turns(self) -> int:
        """How many runs `both` makes one after the other."""
        return 1 if self._side_by_side else 2

    def both(
        self,
        subject: Subject,
        tests: Changes,
        files: tuple[str, ...],
        *,
        attempt: int = 0,
        only: frozenset[str] = frozenset(),
        seconds: float | None = None,
        record_base: RecordMode = RecordMode.NOTHING,
    ) -> RunPair:
        """Run `files` on R and on R∘X with `tests` applied, side by side where allowed.

        `record_base` is what is recorded on R alone; for the others see `run`.
        """

        def run(revision: Revision) -> Run:
            return self.run(
                subject,
                revision,
                tests,
                files,
                attempt=attempt,
                only=only,
                seconds=seconds,
                record=record_base if revision is Revision.BASE else RecordMode.NOTHING,
            )

        return RunPair(*self.side_by_side(run, (Revision.BASE, Revision.FIXED)))

    def side_by_side(self, run: Callable[[_Task], _Done], tasks: Iterable[_Task]) -> list[_Done]:
        """What `run` returns for each task, two at the same time where allowed."""
        if not self._side_by_side:
            return [run(task) for task in tasks]
        with ThreadPoolExecutor(max_workers=2) as pool:
            return list(pool.map(run, tasks))

    def run(
        self,
        subject: Subject,
        revision: Revision,
        tests: Changes,
        files: tuple[str, ...],
        *,
        attempt: int = 0,
        only: frozenset[str] = frozenset(),
        seconds: float | None = None,
        record: RecordMode = RecordMode.NOTHING,
    ) -> Run:
        """Run `files` on one side, or of their tests `only` those named, where any is.

        `seconds` bounds the run where that is less than its usual limit; `record` says what of the
        executed code is recorded.
        `attempt` numbers reruns: each has hash seeds, an order and a guise of its own, both sides
        of it the same.
        """
        changes = subject.fix.merged(tests) if revision is Revision.FIXED else tests
        selection = _Selection(files, attempt, only, seconds, record)
        key = self._key(subject, revision, changes, selection)
        return self._cache.get(key, lambda: self._make(subject, revision, changes, selection))

    def _key(
        self, subject: Subject, revision: Revision, changes: Changes, selection: _Selection
    ) -> str:
        traced = {path: sorted(lines) for path, lines in subject.traced(revision).items()}
        return content_key(
            {
                "tree": [self._trees.key(subject.pristine), changes.digest],
                "files": selection.files,
                "only": sorted(selection.only),
                "traced": traced,
                "environment": subject.environments[revision].key,
                "probe": runner_digest(subject.language),
                "sandbox": self._sandbox.name,
                "limits": dataclasses.asdict(self._limited(selection)),
                "attempt": selection.attempt,
                "record": selection.record,
            }
        )

    def base_key(self, subject: Subject) -> str:
        """What the runs of tests on R depend on, but for the tests themselves."""
        return content_key(
            {
                "tree": self._trees.key(subject.pristine),
                "environment": subject.environments[Revision.BASE].key,
                "probe": runner_digest(subject.language),
                "sandbox": self._sandbox.name,
            }
        )

    def _limited(self, selection: _Selection) -> ResourceLimits:
        usual = self._limits.wall_seconds
        seconds = usual if selection.seconds is None else min(selection.seconds, usual)
        return dataclasses.replace(self._limits, wall_seconds=seconds)

    def _make(
        self, subject: Subject, revision: Revision, changes: Changes, selection: _Selection
    ) -> Run:
        environment = subject.environments[revision]
        with self._trees.work_tree(subject.pristine, environment.overlays, changes) as tree:
            request = RunRequest(
                tree=tree,
                environment=environment,
                files=selection.files,
                traced=subject.traced(revision),
                limits=self._limited(selection),
                seed=selection.attempt,
                only=selection.only,
                record=selection.record,
                guise=guise_of(selection.attempt, f"{subject.repo}@{subject.commit}"),
            )
            return run_tests(self._sandbox, request)
