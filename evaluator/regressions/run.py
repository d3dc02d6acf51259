"""Runs the existing tests that a change can affect on both sides, and finds what it breaks."""

from __future__ import annotations

import dataclasses
import itertools
import math
import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.diff import ChangedLines, Changes
from evaluator.execution import Executor, RunPair, Subject
from evaluator.model import Revision, Run, Status, Transition
from evaluator.regressions.confirmation import confirm
from evaluator.regressions.contexts import ContextStore, Known
from evaluator.regressions.existing import ExistingTests, existing_tests, touched
from evaluator.regressions.results import NOT_RUN, ChosenBy, Regressions
from evaluator.regressions.selection import Selection, choose
from evaluator.run import RecordMode
from evaluator.sandbox.protocol import ExitReason

MOST_CONFIRMED = 50
"""Tests that are run again where more break: they make the case as well as all would."""
_LEAST_SECONDS = 3.0
"""Less is not worth the start of a run."""
_WORTH_TWO_STARTS = 0.5
"""Seconds of tests from which on two runs of a half each soon end before one of all does."""
_TIMES_AS_LONG = 3
"""So much longer than without the change tests may take with it before they count as hanging."""
_CONFIRMING_SECONDS = 15.0
"""The least that tests which broke get when they run again."""


def find_regressions(
    executor: Executor,
    store: ContextStore,
    subject: Subject,
    *,
    seconds: float,
    brought: Changes | None = None,
    judged: Collection[str] = (),
) -> Regressions:
    """Run existing tests, as the base has them, on both sides of a change for some seconds.

    Those of the `judged` files, and of those that the change itself edits (`brought` are its
    changes of tests), are left to others. Raises SandboxError.
    """
    if seconds <= 0:
        return NOT_RUN
    untraced = dataclasses.replace(subject, lines=ChangedLines({}, {}))
    return _Search(executor, store, untraced, seconds, brought or Changes()).made(judged)


def tests_of_base(subject: Subject) -> ExistingTests:
    """The existing tests of the base of a subject, read once for changes that follow each other."""
    environment = subject.environments[Revision.BASE]
    language = subject.language
    return existing_tests(
        subject.pristine,
        language.name,
        environment.recipe.framework,
        language.sources.import_roots(environment),
    )


@dataclass(frozen=True)
class _Compared:
    """How many tests ended on both sides, of how many files, and those that `broken` names.

    Each of these comes with its file. `cut` says whether a run was ended by its limits.
    """

    tests: int = 0
    files: int = 0
    broken: tuple[tuple[str, str], ...] = ()
    cut: bool = False


@dataclass(frozen=True)
class _Search:
    """One search for regressions, within `seconds`."""

    executor: Executor
    store: ContextStore
    subject: Subject
    seconds: float
    brought: Changes
    started: float = dataclasses.field(default_factory=time.monotonic)

    def made(self, judged: Collection[str]) -> Regressions:
        key = self.executor.base_key(self.subject)
        known = self.store.known(key)
        choice = self._choice(key, known, {*judged, *self.brought.contents})
        found = [*self._known(choice, known), *self._unknown(choice, key)]
        suspects = [test for each in found for test in each.broken]
        confirmed = confirm(dict(sorted(suspects)[:MOST_CONFIRMED]), self._again)
        adapted = self._adapted(confirmed.always)
        return Regressions(
            budget=self.seconds,
            seconds=time.monotonic() - self.started,
            tests=sum(each.tests for each in found),
            files=sum(each.files for each in found),
            affected=choice.affected,
            cut=choice.partial or any(each.cut for each in found),
            chosen_by=tuple(_chosen_by(choice)),
            broken=tuple(test for test in confirmed.always if test not in adapted),
            adapted=adapted,
            unsteady=confirmed.unsteady,
        )

    def _left(self) -> float:
        """Whole seconds that a run may take: the same for all that starts at once."""
        return float(round(self.seconds - (time.monotonic() - self.started)))

    def _choice(self, key: str, known: Known, judged: Collection[str]) -> Selection:
        existing = tests_of_base(self.subject)
        changed = touched(self.subject.fix, self.subject.files)
        executing = self.store.executing(key, changed.functions)
        return choose(
            [file for file in existing.nearest_first(changed) if file.path not in judged],
            known,
            executing,
            everything=bool(changed.loaded) or "" in executing,
            seconds=self.seconds,
        )

    def _known(self, choice: Selection, known: Known) -> Iterator[_Compared]:
        """The tests that pass on the base, as is known, with the change."""
        left = self._left()
        if left < _LEAST_SECONDS or not choice.known:
            return

        def compared(files: tuple[str, ...]) -> _Compared:
            passing = {t: file for file in files for t in known[file].tests if t in choice.only}
            run = self.executor.run(
                self.subject,
                Revision.FIXED,
                Changes(),
                files,
                only=frozenset(passing),
                seconds=left,
            )
            return _compared(passing, run, files, cut=_cut(run))

        yield from self.executor.side_by_side(compared, self._lanes(choice, known))

    def _lanes(self, choice: Selection, known: Known) -> Sequence[tuple[str, ...]]:
        """The known files, the nearest first, in two parts that take as long where both may run.

        Each part starts an interpreter of its own, for which little is not worth while.
        """
        seconds = {
            file: sum(
                test.seconds for name, test in known[file].tests.items() if name in choice.only
            )
            for file in choice.known
        }
        if self.executor.turns > 1 or sum(seconds.values()) < _WORTH_TWO_STARTS:
            return [choice.known]
        lanes: tuple[list[str], list[str]] = ([], [])
        for file in choice.known:
            shortest = min(lanes, key=lambda lane: sum(seconds[each] for each in lane))
            shortest.append(file)
        return [tuple(lane) for lane in lanes if lane]

    def _unknown(self, choice: Selection, key: str) -> Iterator[_Compared]:
        """The files of which nothing is known on both sides; what they execute is kept."""
        waiting = deque(_batches(choice.unknown))
        while waiting and (left := self._left()) >= _LEAST_SECONDS:
            batch = waiting.popleft()
            # One file that hangs must not take the time of all others.
            left = max(_LEAST_SECONDS, left // 2) if waiting else left
            pair = self.executor.both(
                self.subject,
                Changes(),
                batch,
                seconds=left / self.executor.turns,
                record_base=RecordMode.FUNCTIONS,
            )
            passing = _passing(pair.base)
            if not passing and len(batch) > 1 and not _cut(pair.base):
                # One file that all load and that is broken, or one that exits, stops all others.
                half = len(batch) // 2
                waiting.extendleft([batch[half:], batch[:half]])
                continue
            self.store.add(key, pair.base, _begun(pair.base, batch))
            yield _compared(passing, pair.fixed, batch, cut=_cut(pair.base) or _cut(pair.fixed))

    def _again(self, suspects: Mapping[str, str], attempt: int) -> RunPair:
        """Some tests, each with its file, by themselves on both sides.

        They get more time where they are cut with the change, and take about as long without it.
        """

        def both(seconds: float) -> RunPair:
            return self.executor.both(
                self.subject,
                Changes(),
                tuple(sorted(set(suspects.values()))),
                attempt=attempt,
                only=frozenset(suspects),
                seconds=seconds,
            )

        seconds = max(self.seconds, _CONFIRMING_SECONDS)
        pair = both(seconds)
        enough = math.ceil(_TIMES_AS_LONG * pair.base.wall_seconds)
        hangs = pair.fixed.ending is ExitReason.TIMEOUT
        return both(enough) if hangs and enough > seconds else pair

    def _adapted(self, broken: tuple[Transition, ...]) -> tuple[Transition, ...]:
        """Those that pass where the change's own edits of tests are applied, too, or are none then.

        The name of a test that runs for a file of data may have that file's place among others.
        """
        if not broken or not self.brought.contents:
            return ()
        run = self.executor.run(
            self.subject,
            Revision.FIXED,
            self.brought,
            tuple(sorted({test.file for test in broken})),
            only=frozenset(test.test for test in broken),
            seconds=max(self.seconds, _CONFIRMING_SECONDS),
        )
        adapted = {Status.PASSED, Status.MISSING}
        return tuple(t for t in broken if run.status_of(t.test, t.file) in adapted)


def _batches(files: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The files in order, one, then two, then four and so on.

    How long they take is not known: the nearest soon have run, and many files do not each pay for
    the start of a run.
    """
    start, size = 0, 1
    while start < len(files):
        yield files[start : start + size]
        start, size = start + size, 2 * size


def _passing(run: Run) -> Mapping[str, str]:
    """The tests that pass, each with its file."""
    return {o.test: o.file for o in run.outcomes.values() if o.status is Status.PASSED}


def _compared(
    passing: Mapping[str, str], run: Run, files: tuple[str, ...], *, cut: bool
) -> _Compared:
    """What became, in a run of some files, of tests that pass without the change."""
    ended = {t: f for t, f in passing.items() if t in run.outcomes or f in run.outcomes}
    broken = ((test, file) for test, file in ended.items() if run.status_of(test, file).fails)
    done = set(ended.values()) if cut else files
    return _Compared(len(ended), len(done), tuple(broken), cut)


def _cut(run: Run) -> bool:
    return run.ending is not ExitReason.EXITED


def _begun(run: Run, files: tuple[str, ...]) -> Mapping[str, bool]:
    """The files that a run began with, and whether it came to the end of each.

    A run that was cut came to the end of all but the last one. Nothing is known of one that was cut
    where the framework takes tests of several files in turns, or before any test of several files.
    """
    if not _cut(run):
        return dict.fromkeys(files, True)
    if len(files) == 1:
        return {files[0]: False}
    begun = [file for file, _ in itertools.groupby(run.outcomes.values(), lambda o: o.file)]
    in_turns = len(begun) != len(set(begun))
    return {} if in_turns else {file: file != begun[-1] for file in begun}


def _chosen_by(choice: Selection) -> Iterator[ChosenBy]:
    if choice.known:
        yield ChosenBy.CONTEXTS
    if choice.unknown:
        yield ChosenBy.IMPORTS
