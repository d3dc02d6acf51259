"""Tells tests that a change breaks from those that broke by chance: they run again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evaluator.execution import RunPair
from evaluator.model import Status, Transition
from evaluator.transitions import transition

MOST_RUNS = 3
"""Tests that measure time break once and again by chance where the machine is busy."""

Tests = Mapping[str, str]
"""Each with its file."""


@dataclass(frozen=True)
class Confirmed:
    """The tests that broke `always`, and those that did so at first and not each time again.

    A test of which no further run says anything counts as `unsteady`.
    """

    always: tuple[Transition, ...] = ()
    unsteady: tuple[Transition, ...] = ()


def confirm(suspects: Tests, again: Callable[[Tests, int], RunPair]) -> Confirmed:
    """Run tests that broke again by themselves, by `again`, which is given the attempt, too.

    Those that do not break in the first of these runs broke by chance, and are left out.
    """
    if not suspects:
        return Confirmed()
    pairs = [again(suspects, 1)]
    doubted = left = _not_holding(suspects, pairs[0])
    for attempt in range(2, MOST_RUNS + 1):
        if not left or any(_hangs(test, file, pairs[-1]) for test, file in left.items()):
            break  # What hangs takes all the time that it gets, and has done so twice.
        pairs.append(again(left, attempt))
        left = _not_holding(left, pairs[-1])
    found = [_shown(test, file, pairs) for test, file in doubted.items()]
    always = tuple(each for each in found if each.test in left and each.kind == "P->F")
    return Confirmed(always, tuple(each for each in found if each not in always))


def _not_holding(tests: Tests, pair: RunPair) -> Tests:
    """Those that break, and those that a run without the change was cut before it came to."""
    return {
        test: file
        for test, file in tests.items()
        if pair.base.was_cut_before(test, file) or _breaks(test, file, pair)
    }


def _breaks(test: str, file: str, pair: RunPair) -> bool:
    return transition(test, file, pair).kind == "P->F"


def _hangs(test: str, file: str, pair: RunPair) -> bool:
    return _breaks(test, file, pair) and pair.fixed.status_of(test, file) is Status.TIMEOUT


def _shown(test: str, file: str, pairs: Sequence[RunPair]) -> Transition:
    """What became of a test in the first runs in which it breaks, else in the first of all."""
    telling = next((pair for pair in pairs if _breaks(test, file, pair)), pairs[0])
    return transition(test, file, telling)
