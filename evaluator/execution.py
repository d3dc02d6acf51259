"""Runs test files on one side or both sides of a fix, each distinct run once."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from evaluator.checkout import Trees
from evaluator.compiling import CompiledTrees
from evaluator.diff import ChangedLines, Changes, Source
from evaluator.environment.types import Environment
from evaluator.errors import PatchError
from evaluator.languages import Language, language
from evaluator.model import Revision as Revision
from evaluator.model import Run
from evaluator.run import RecordMode, RunRequest, run_tests, runner_digest
from evaluator.sandbox.guise import guise_of
from evaluator.sandbox.protocol import ExitReason, Patience, ResourceLimits, Sandbox
from evaluator.steps import Observe, unobserved
from evaluator.storage.keys import content_key
from evaluator.storage.runs import RunCache

SHORTEST_PATIENCE = 120.0
"""Seconds that a run without a change has at least, however fast that with it is."""
TIMES_PATIENCE = 30
"""How many times the seconds of the run with the change it has: what hangs never ends."""
SHORTEST_PATIENCE_AGAIN, TIMES_PATIENCE_AGAIN = 20.0, 5
"""The same where it has hung before."""
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

    @property
    def files(self) -> Source:
        """As `source`, for who asks whether a file is there: through a link there is none."""

        def read(path: str) -> bytes | None:
            try:
                return self.source(path)
            except PatchError:
                return None

        return read

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

    @property
    def hung(self) -> bool:
        """Whether tests that end with the change do not end without it."""
        base, fixed = self.base.ending, self.fixed.ending
        return base is ExitReason.TIMEOUT and fixed is ExitReason.EXITED

    @property
    def cut(self) -> bool:
        """Whether neither side came to its end."""
        return ExitReason.EXITED not in (self.base.ending, self.fixed.ending)


@dataclass(frozen=True)
class _Selection:
    """What is run of a tree, for which attempt, how long, and what is recorded."""

    files: tuple[str, ...]
    attempt: int
    only: frozenset[str]
    seconds: float | None
    record: RecordMode = RecordMode.NOTHING
    without: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Planned:
    """A run on one side, with all changes to the tree at the base commit."""

    subject: Subject
    revision: Revision
    changes: Changes
    selection: _Selection
    key: str
    """What it is kept by."""


class Executor:
    """Makes runs in work trees of their own, inside a sandbox, and keeps them by content."""

    def __init__(
        self,
        sandbox: Sandbox,
        trees: Trees,
        cache: RunCache,
        compiled: CompiledTrees,
        *,
        limits: ResourceLimits | None = None,
        side_by_side: bool = True,
        observe: Observe = unobserved,
    ) -> None:
        self.observe = observe
        self._sandbox = sandbox
        self._trees = trees
        self._cache = cache
        self._compiled = compiled
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
        hung_before: bool = False,
        without: frozenset[str] = frozenset(),
    ) -> RunPair:
        """Run `files` on R and on R∘X with `tests` applied, side by side where allowed.

        `record_base` is what is recorded on R alone; for the others see `run`. A run on R that goes
        on for `TIMES_PATIENCE` times the time of that on R∘X is stopped as at its limit, the
        sooner where a run of these tests, maybe among others, `hung_before`. `without` names test
        functions that do not run.
        """
        selection = _Selection(files, attempt, only, seconds, without=without)
        fixed = self._planned(subject, Revision.FIXED, tests, selection)
        recorded = dataclasses.replace(selection, record=record_base)
        base = self._planned(subject, Revision.BASE, tests, recorded)
        if base.key == fixed.key:
            return RunPair(*[self._made(fixed)] * 2)
        patience = Patience()

        def run(planned: _Planned) -> Run:
            if planned is fixed:
                return self._settling(fixed, patience, again=hung_before)
            return self._impatiently_made(base, patience)

        after, before = self.side_by_side(run, (fixed, base))
        return RunPair(before, after)

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
        selection = _Selection(files, attempt, only, seconds, record)
        return self._made(self._planned(subject, revision, tests, selection))

    def _planned(
        self, subject: Subject, revision: Revision, tests: Changes, selection: _Selection
    ) -> _Planned:
        changes = subject.fix.merged(tests) if revision is Revision.FIXED else tests
        key = self._key(subject, revision, changes, selection)
        return _Planned(subject, revision, changes, selection, key)

    def _made(self, planned: _Planned) -> Run:
        return self._cache.get(planned.key, lambda: self._make(planned))

    def _settling(self, fixed: _Planned, patience: Patience, *, again: bool) -> Run:
        """A run on R∘X, by which is settled how long that on R is waited for.

        That is less where it is waited for `again`.
        """
        seconds = math.inf
        try:
            run = self._made(fixed)
            if run.ending is ExitReason.EXITED:
                seconds = _patience(run.wall_seconds, again=again)
        finally:
            patience.settle(seconds)
        return run

    def _impatiently_made(self, base: _Planned, patience: Patience) -> Run:
        limit = self._limited(base.selection).wall_seconds
        return self._cache.get_impatiently(
            base.key,
            lambda: self._make(base, patience),
            is_cut=lambda run: run.ending is ExitReason.TIMEOUT and run.wall_seconds < limit,
            suffices=lambda run: run.wall_seconds >= patience.wait(),
        )

    def _key(
        self, subject: Subject, revision: Revision, changes: Changes, selection: _Selection
    ) -> str:
        traced = {path: sorted(lines) for path, lines in subject.traced(revision).items()}
        return content_key(
            {
                "tree": [self._trees.key(subject.pristine), changes.digest],
                "files": selection.files,
                "only": sorted(selection.only),
                "without": sorted(selection.without),
                "traced": traced,
                "environment": subject.environments[revision].key,
                "probe": runner_digest(subject.language),
                "sandbox": self._sandbox.name,
                "limits": dataclasses.asdict(self._limited(selection)),
                "attempt": selection.attempt,
                "record": selection.record,
            }
        )

    def _tree_key(self, planned: _Planned) -> str:
        tree = [self._trees.key(planned.subject.pristine), planned.changes.digest]
        environment = planned.subject.environments[planned.revision].key
        return content_key({"tree": tree, "environment": environment})

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

    def _make(self, planned: _Planned, patience: Patience | None = None) -> Run:
        subject, revision, selection = planned.subject, planned.revision, planned.selection
        environment = subject.environments[revision]
        overlays = environment.overlays
        with self._trees.work_tree(subject.pristine, overlays, planned.changes) as tree:
            request = RunRequest(
                tree=tree,
                environment=environment,
                files=selection.files,
                traced=subject.traced(revision),
                limits=self._limited(selection),
                seed=selection.attempt,
                only=selection.only,
                without=selection.without,
                record=selection.record,
                guise=guise_of(selection.attempt, f"{subject.repo}@{subject.commit}"),
                patience=patience or Patience(),
                compiled=self._compiled.tree(self._tree_key(planned)),
            )
            return run_tests(self._sandbox, request)


def _patience(seconds: float, *, again: bool) -> float:
    """How long a run on R is waited for where that on R∘X took some seconds."""
    if again:
        return max(SHORTEST_PATIENCE_AGAIN, TIMES_PATIENCE_AGAIN * seconds)
    return max(SHORTEST_PATIENCE, TIMES_PATIENCE * seconds)
