"""Which of the existing tests that a change can affect are run within a budget of time."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.model import Status
from evaluator.regressions.contexts import Known, KnownFile
from evaluator.regressions.existing import TestFile

_SECONDS_PER_FILE = 0.3
_SECONDS_PER_TEST = 0.05
"""What a test is taken to need as long as it is not known."""
_SLOW_SHARE = 0.1
"""The part of all the time from which on a single test is slow."""


@dataclass(frozen=True)
class Selection:
    """What is run: of the `known` files the tests in `only`, the `unknown` ones whole.

    `affected` is the number of files that the change can affect, as far as is known. `partial` says
    that some tests of the files that are run are left out, or were never seen.
    """

    known: tuple[str, ...] = ()
    only: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()
    affected: int = 0
    partial: bool = False


@dataclass(frozen=True)
class _Candidate:
    """A file with some known tests of it to run; None where they are not known."""

    path: str
    seconds: float
    tests: frozenset[str] | None


@dataclass(frozen=True)
class _Tests:
    """The tests of a known file that a change can affect, with their seconds."""

    path: str
    seconds: Mapping[str, float]
    complete: bool

    def candidate(self, slowest: float, *, slow: bool = False) -> _Candidate:
        """Those that take no longer than `slowest` seconds each, or the `slow` ones."""
        tests = {t: seconds for t, seconds in self.seconds.items() if (seconds > slowest) == slow}
        return _Candidate(self.path, sum(tests.values()), frozenset(tests))


def choose(
    files: Sequence[TestFile],
    known: Known,
    executing: frozenset[str],
    *,
    everything: bool,
    seconds: float,
) -> Selection:
    """Choose among the affected `files`, which come nearest first, for a number of seconds.

    Of known tests only those run that pass on the base and are `executing` what the change
    touches; all of them where `everything` may be affected. Tests that execute it come first, then
    files of which nothing is known. Single tests that take much of the time come last, as far as
    it suffices for them. At least one file is chosen where there is any.
    """
    fresh = [_unknown(file) for file in files if file.path not in known]
    old = [
        _affected(file.path, known[file.path], executing, everything)
        for file in files
        if file.path in known
    ]
    slowest = seconds * _SLOW_SHARE
    quick = [each.candidate(slowest) for each in old]
    first = [c for c in quick if c.tests and not executing.isdisjoint(c.tests)]
    last = [c for c in quick if c.tests and executing.isdisjoint(c.tests)]
    slow = [c for c in (each.candidate(slowest, slow=True) for each in old) if c.tests]
    taken = list(_within([*first, *fresh, *last], seconds))
    late = list(_fitting(slow, seconds - sum(c.seconds for c in taken)))
    taken += late if taken else slow[:1]
    return Selection(
        known=tuple(dict.fromkeys(c.path for c in taken if c.tests is not None)),
        only=frozenset().union(*(c.tests for c in taken if c.tests is not None)),
        unknown=tuple(c.path for c in taken if c.tests is None),
        affected=len({c.path for c in (*first, *fresh, *last, *slow)} | _cut(old)),
        partial=bool(_cut(old)) or len(late) < len(slow),
    )


def _cut(files: Iterable[_Tests]) -> set[str]:
    """The files of which some tests were never seen."""
    return {file.path for file in files if not file.complete}


def _unknown(file: TestFile) -> _Candidate:
    return _Candidate(file.path, _SECONDS_PER_FILE + file.tests * _SECONDS_PER_TEST, None)


def _affected(path: str, known: KnownFile, executing: frozenset[str], everything: bool) -> _Tests:
    wanted = {
        name: test.seconds
        for name, test in known.tests.items()
        if test.status is Status.PASSED and (everything or name in executing or not test.seen)
    }
    return _Tests(path, wanted, known.complete)


def _within(candidates: Sequence[_Candidate], seconds: float) -> Iterator[_Candidate]:
    begins = itertools.accumulate((c.seconds for c in candidates), initial=0.0)
    for candidate, begin in zip(candidates, begins, strict=False):
        if begin >= seconds:
            return
        yield candidate


def _fitting(candidates: Sequence[_Candidate], seconds: float) -> Iterator[_Candidate]:
    ends = itertools.accumulate(c.seconds for c in candidates)
    return (c for c, end in zip(candidates, ends, strict=True) if end <= seconds)
