"""Chooses the existing tests to run: the nearest first, until they fill the time there is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.model import Status
from evaluator.regressions.contexts import Known, KnownTest
from evaluator.regressions.existing import TestFile

_SECONDS_PER_FILE = 0.3
_SECONDS_PER_TEST = 0.05
"""What a test is taken to need as long as it is not known."""


@dataclass(frozen=True)
class Selection:
    """What is run: of the `known` files the tests in `only`, the `unknown` ones whole.

    `affected` is the number of files that the change can affect, as far as is known.
    """

    known: tuple[str, ...] = ()
    only: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()
    affected: int = 0


@dataclass(frozen=True)
class _Candidate:
    """A file with the known tests of it to run; None where they are not known."""

    path: str
    seconds: float
    tests: frozenset[str] | None


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
    files of which nothing is known. At least one file is chosen where there is any.
    """
    fresh = [_unknown(file) for file in files if file.path not in known]
    old = [
        _known(file, known[file.path], executing, everything)
        for file in files
        if file.path in known
    ]
    first = [c for c in old if c.tests and not executing.isdisjoint(c.tests)]
    last = [c for c in old if c.tests and executing.isdisjoint(c.tests)]
    candidates = [*first, *fresh, *last]
    taken = list(_within(candidates, seconds))
    return Selection(
        known=tuple(c.path for c in taken if c.tests is not None),
        only=frozenset().union(*(c.tests for c in taken if c.tests is not None)),
        unknown=tuple(c.path for c in taken if c.tests is None),
        affected=len(candidates),
    )


def _unknown(file: TestFile) -> _Candidate:
    return _Candidate(file.path, _SECONDS_PER_FILE + file.tests * _SECONDS_PER_TEST, None)


def _known(
    file: TestFile, tests: Mapping[str, KnownTest], executing: frozenset[str], everything: bool
) -> _Candidate:
    wanted = {
        name: test.seconds
        for name, test in tests.items()
        if test.status is Status.PASSED and (everything or name in executing or not test.seen)
    }
    return _Candidate(file.path, sum(wanted.values()), frozenset(wanted))


def _within(candidates: Sequence[_Candidate], seconds: float) -> Iterator[_Candidate]:
    begins = itertools.accumulate((c.seconds for c in candidates), initial=0.0)
    for candidate, begin in zip(candidates, begins, strict=False):
        if begin >= seconds:
            return
        yield candidate
