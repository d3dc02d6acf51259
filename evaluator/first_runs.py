"""The first runs of tests, which go on past a test that ends every one of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass

from evaluator.diff import Changes
from evaluator.execution import Executor, RunPair, Subject
from evaluator.model import Run
from evaluator.sandbox.protocol import ExitReason
from evaluator.test_names import function_name

MOST_LEFT_OUT = 3
"""Test functions, each of which takes all runs once more."""


@dataclass(frozen=True)
class FirstRuns:
    """Runs of tests, and of the same files as they stood before (None where all are new).

    `without` names the test functions that ended all of them, and are left out of other runs. What
    was seen of these is among the outcomes.
    """

    tests: RunPair
    before: RunPair | None
    without: frozenset[str] = frozenset()

    @property
    def ended_by(self) -> str:
        """The test function in which each of these runs ends.

        "" where there is none, or not the same one in all. One that hangs is meant once only, and
        never one that was merely at work when the time was up, as the next one would be then.
        """
        pairs = [self.tests, *([self.before] if self.before else [])]
        found = {self._ended_by(run) for pair in pairs for run in (pair.base, pair.fixed)}
        return found.pop() if self.before and len(found) == 1 else ""

    def _ended_by(self, run: Run) -> str:
        names = {function_name(test) for test in run.interrupted} - self.without
        ends_at_once = run.ending is ExitReason.KILLED
        is_meant = ends_at_once or (not self.without and _hangs(run))
        return names.pop() if len(names) == 1 and is_meant else ""

    def followed_by(self, later: FirstRuns) -> FirstRuns:
        """Runs without more of the tests, with what these showed of them."""
        before = later.before
        if self.before and before:
            before = _with_outcomes(self.before, before, later.without)
        return FirstRuns(
            _with_outcomes(self.tests, later.tests, later.without), before, later.without
        )

    def completed(self, rerun: RunPair) -> RunPair:
        """A rerun of the tests, with what these runs showed of those that are left out of it."""
        return _with_outcomes(self.tests, rerun, self.without)


def first_runs(
    executor: Executor, subject: Subject, tests: Changes, files: tuple[str, ...]
) -> FirstRuns:
    """Run files on both sides, with the tests T and as they stood before (T^R).

    Where the same test ends all of these runs, as one does that kills its process, everything but
    its function runs again. Raises SandboxError.
    """
    standing = tuple(path for path in files if subject.source(path) is not None)

    def runs(without: frozenset[str]) -> FirstRuns:
        before = (
            executor.both(subject, Changes({}), standing, without=without) if standing else None
        )
        return FirstRuns(executor.both(subject, tests, files, without=without), before, without)

    found = runs(frozenset())
    while len(found.without) < MOST_LEFT_OUT and (function := found.ended_by):
        found = found.followed_by(runs(found.without | {function}))
    return found


def _hangs(run: Run) -> bool:
    """Whether the test in which a run was cut took more of its time than all others."""
    return 2 * sum(each.duration_seconds for each in run.outcomes.values()) < run.wall_seconds


def _with_outcomes(earlier: RunPair, later: RunPair, functions: Collection[str]) -> RunPair:
    """Later runs with the outcomes of some test functions in earlier ones."""

    def united(old: Run, run: Run) -> Run:
        seen = {t: each for t, each in old.outcomes.items() if function_name(t) in functions}
        return dataclasses.replace(run, outcomes={**seen, **run.outcomes})

    return RunPair(united(earlier.base, later.base), united(earlier.fixed, later.fixed))
