"""Runs reproducing tests on the change without one of its parts.

A part that is all there is needs no run: without it the tests run on the base. Parts that no such
test executes need none where another is noticed; what runs in processes of its own is not seen.
The rest are tried within limits, executed ones first.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from evaluator.diff import ChangedLines
from evaluator.execution import Executor, Subject
from evaluator.languages import source_language
from evaluator.languages.safeguards import Mutant
from evaluator.model import LineState, Phase, Revision, Status
from evaluator.verdict.evidence import PartKind, PartResult, PartState
from evaluator.verification.executed import executable_lines
from evaluator.verification.hunks import RevertibleHunk, hunks_of, without
from evaluator.verification.judged_tests import SHORTEST_BUDGET, JudgedTests

MOST_HUNKS = 12
MOST_DETAILS = 4
MOST_ALONE = 4
EXTENSION = 2
"""Times that by which the budget is extended while no hunk is noticed."""
_AT_ONCE = 2
"""Parts that are tried before the time is looked at again: those that run side by side."""


def parts_tested(
    executor: Executor, subject: Subject, sets: Iterable[JudgedTests]
) -> tuple[PartResult, ...]:
    """Each hunk of the change, then some details of it, with the tests that notice it.

    Raises SandboxError.
    """
    reproducing = [tests for tests in sets if tests.reproducing]
    hunks = hunks_of(subject.fix, subject.files, subject.language)
    if not reproducing or not hunks:
        return ()
    trials = _Trials(executor, subject, reproducing, _budget(reproducing))
    if len(hunks) == 1:
        everyone = tuple(sorted({test for tests in reproducing for test in tests.reproducing}))
        return (_result(hunks[0], PartState.TESTED, everyone), *trials.details())
    return (*trials.hunks(hunks), *trials.details())


def _budget(sets: Sequence[JudgedTests]) -> float:
    pairs = [tests.judgement.attempts[0] for tests in sets]
    return max(SHORTEST_BUDGET, sum(p.base.wall_seconds + p.fixed.wall_seconds for p in pairs))


def _result(hunk: RevertibleHunk, state: PartState, tests: tuple[str, ...] = ()) -> PartResult:
    return PartResult(hunk.path, hunk.first, hunk.last, PartKind.HUNK, state, tests)


class _Trials:
    """Runs within a budget of seconds."""

    def __init__(
        self, executor: Executor, subject: Subject, sets: Sequence[JudgedTests], seconds: float
    ) -> None:
        self._executor = executor
        self._subject = subject
        self._sets = sets
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._executed = _Executed(subject, sets)

    def hunks(self, hunks: Sequence[RevertibleHunk]) -> Iterator[PartResult]:
        """Each hunk taken back; more time is taken until some test has noticed one."""
        ranked = sorted(hunks, key=lambda hunk: -self._executed.weight(hunk))
        results: dict[RevertibleHunk, PartResult] = {}
        for start in range(0, len(ranked), _AT_ONCE):
            noticed = any(result.tests for result in results.values())
            late = start >= MOST_HUNKS or self._is_late(noticed=noticed)
            some = ranked[start : start + _AT_ONCE]
            tried = functools.partial(self._hunk, late=late, noticed=noticed)
            done = self._executor.side_by_side(tried, some)
            results.update(zip(some, done, strict=True))
        for found in (self._together, self._alone):
            if not any(result.tests for result in results.values()):
                results.update(found(results))
        return (results[hunk] for hunk in hunks)

    def _is_late(self, *, noticed: bool) -> bool:
        return time.monotonic() > self._end + (0 if noticed else self._seconds * EXTENSION)

    def _hunk(self, hunk: RevertibleHunk, *, late: bool, noticed: bool) -> PartResult:
        if self._executed.never(hunk) and (late or noticed):
            return _result(hunk, PartState.UNTESTED)
        if late or self._is_compiled(hunk):
            return _result(hunk, PartState.NOT_TRIED)
        return _result(hunk, *self._without({hunk.path: hunk.content}))

    def _together(
        self, results: Mapping[RevertibleHunk, PartResult]
    ) -> Mapping[RevertibleHunk, PartResult]:
        """What comes of hunks of which none can be taken back alone when all of them are.

        Where that is not enough, as one needs what a hunk removes that no test notices, such hunks
        of the same files are taken back as well.
        """
        hunks = [hunk for hunk, r in results.items() if r.state is PartState.INSEPARABLE]
        if len(hunks) < 2:
            return {}
        found = self._without(without(hunks, self._subject.fix))
        if found[0] is PartState.INSEPARABLE:
            paths = {hunk.path for hunk in hunks}
            unnoticed = (h for h, r in results.items() if r.state is PartState.UNTESTED)
            near = [hunk for hunk in unnoticed if hunk.path in paths]
            found = self._without(without([*hunks, *near], self._subject.fix))
        return {hunk: _result(hunk, *found) for hunk in hunks}

    def _alone(
        self, results: Mapping[RevertibleHunk, PartResult]
    ) -> Mapping[RevertibleHunk, PartResult]:
        """The first hunk with which alone tests pass: where several do, none of them is missed.

        Those that have to be compiled stay, all together; where others pass without any hunk, it
        is none of these that they notice.
        """
        tried = [hunk for hunk in results if not self._is_compiled(hunk)]
        compiled = [hunk for hunk in results if self._is_compiled(hunk)]
        if len(results) < 2 or self._is_late(noticed=False):
            return {}
        if passing := self._passing(without(tried, self._subject.fix)):
            return {hunk: _result(hunk, PartState.TESTED, passing) for hunk in compiled}
        for hunk in tried[:MOST_ALONE]:
            if self._is_late(noticed=False):
                break
            others = [other for other in tried if other is not hunk]
            if passing := self._passing(without(others, self._subject.fix)):
                return {hunk: _result(hunk, PartState.TESTED, passing)}
        return {}

    def _is_compiled(self, hunk: RevertibleHunk) -> bool:
        """Whether an environment of its own would be needed without it."""
        known, base = self._subject.language.environments, self._subject.environments[Revision.BASE]
        return known.is_compiled(hunk.path) or known.is_outdated(base, [hunk.path])

    def details(self) -> Iterator[PartResult]:
        """Some constants and comparisons in executed lines, each made another."""
        mutants = itertools.islice(self._mutants(), MOST_DETAILS)
        while not self._is_late(noticed=True):
            some = list(itertools.islice(mutants, _AT_ONCE))
            if not some:
                return
            yield from self._executor.side_by_side(self._detail, some)

    def _detail(self, place: tuple[str, Mutant]) -> PartResult:
        path, mutant = place
        state, tests = self._without({path: mutant.content})
        return PartResult(
            path, mutant.line, mutant.line, PartKind.DETAIL, state, tests, mutant.what
        )

    def _mutants(self) -> Iterator[tuple[str, Mutant]]:
        """The files that the reproducing tests execute, with another detail in each."""
        for path, lines in self._executed.added().items():
            content = self._subject.fix.contents.get(path) or b""
            language = source_language(path) or self._subject.language
            for mutant in language.safeguards.mutants(path, content, lines):
                yield path, mutant

    def _without(self, contents: Mapping[str, bytes | None]) -> tuple[PartState, tuple[str, ...]]:
        """What the tests say where files have these contents, and those that no longer pass."""
        failing = self._failing(contents)
        noticing = tuple(sorted({test for test, loaded in failing if loaded}))
        if failing and not noticing:
            return PartState.INSEPARABLE, ()
        return (PartState.TESTED if noticing else PartState.UNTESTED), noticing

    def _passing(self, contents: Mapping[str, bytes | None]) -> tuple[str, ...]:
        """The tests that pass where files have these contents."""
        failing = {test for test, _ in self._failing(contents)}
        return tuple(sorted({t for tests in self._sets for t in tests.reproducing} - failing))

    def _failing(self, contents: Mapping[str, bytes | None]) -> Sequence[tuple[str, bool]]:
        """The tests that do not pass where files have these contents, and whether they loaded."""
        changed = {**self._subject.fix.contents, **contents}
        fix = dataclasses.replace(self._subject.fix, contents=changed)
        subject = dataclasses.replace(self._subject, fix=fix, lines=ChangedLines({}, {}))
        return [failing for tests in self._sets for failing in self._failing_of(subject, tests)]

    def _failing_of(self, subject: Subject, tests: JudgedTests) -> Iterator[tuple[str, bool]]:
        run = tests.run_on_part(self._executor, subject)
        for test, file in tests.reproducing.items():
            if run.status_of(test, file) is not Status.PASSED:
                outcome = run.outcomes.get(test) or run.outcomes.get(file)
                yield test, outcome is None or outcome.phase is not Phase.COLLECTION


class _Executed:
    """Which added lines the reproducing tests execute, and which nobody does."""

    def __init__(self, subject: Subject, sets: Sequence[JudgedTests]) -> None:
        self._counts: dict[tuple[str, int], int] = {}
        self._hit: set[tuple[str, int]] = set()
        for tests in sets:
            self._add(tests)
        self._code = {
            (line.path, line.line)
            for line in executable_lines(subject)
            if line.side is Revision.FIXED and line.state is not LineState.NOT_EXECUTABLE
        }

    def _add(self, tests: JudgedTests) -> None:
        names = tests.reproducing.keys()
        fixed = tests.judgement.attempts[0].fixed
        files = [item for lines in fixed.contexts.values() for item in lines.items()]
        within = {(path, number) for path, numbers in files for number in numbers}
        for line in tests.judgement.coverage.lines:
            if line.side is Revision.FIXED and names & set(line.tests):
                place = (line.path, line.line)
                self._counts[place] = self._counts.get(place, 0) + len(names & set(line.tests))
        # Lines that ran in no test ran when their module was imported, for all tests alike.
        hit = {(path, number) for path, lines in fixed.hits.items() for number in lines}
        self._hit |= (hit - within) | self._counts.keys()

    def weight(self, hunk: RevertibleHunk) -> int:
        """How often tests execute lines of a hunk."""
        return sum(self._counts.get((hunk.path, n), 0) for n in range(hunk.first, hunk.last + 1))

    def never(self, hunk: RevertibleHunk) -> bool:
        """Whether a hunk adds code, and none of it was executed for the reproducing tests."""
        places = {(hunk.path, number) for number in range(hunk.first, hunk.last + 1)}
        code = places & self._code
        return bool(code) and not places & self._hit

    def added(self) -> Mapping[str, frozenset[int]]:
        """The lines that the reproducing tests execute, by their files."""
        paths = {path for path, _ in self._counts}
        return {
            path: frozenset(line for where, line in self._counts if where == path)
            for path in sorted(paths)
        }
