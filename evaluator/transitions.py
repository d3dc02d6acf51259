"""What happened to each test between R and R∘X (SWT-Bench, section 3.1)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from evaluator.execution import RunPair
from evaluator.model import Run, Side, Status, TestOutcome, Transition
from evaluator.test_names import aligned


def transitions(
    attempts: Sequence[RunPair], before_tests: RunPair | None = None
) -> tuple[Transition, ...]:
    """One transition for each test that some side knows, in the order of their names.

    `attempts` holds the first runs and their reruns, which may leave out tests that passed on both
    sides; `before_tests` the runs of the same files as they stood before T (T^R), None where T only
    adds files. Names that differ from run to run are matched.
    """
    attempts = _aligned(attempts)
    first = attempts[0]
    return tuple(
        _transition(test, file, attempts, before_tests)
        for test, file in sorted(_tests(first.base, first.fixed).items())
    )


def transition(test: str, file: str, pair: RunPair) -> Transition:
    """That of a test in runs of both sides that know it by the same name."""
    return _transition(test, file, [pair], None)


def _aligned(attempts: Sequence[RunPair]) -> list[RunPair]:
    """The same with one name for each test, that which the first run on R∘X knows it by."""
    runs = aligned(run for pair in reversed(attempts) for run in (pair.base, pair.fixed))
    return [RunPair(*runs[at : at + 2]) for at in reversed(range(0, len(runs), 2))]


def _tests(base: Run, fixed: Run) -> dict[str, str]:
    """Every test name with its file, leaving out files that could be collected on the other side.

    A file that one side cannot collect is reported through its tests, which the other side names.
    """
    named = {o.test: o.file for run in (base, fixed) for o in run.outcomes.values()}
    with_tests = {file for test, file in named.items() if test != file}
    return {t: f for t, f in named.items() if t != f or f not in with_tests}


def _transition(
    test: str, file: str, attempts: Sequence[RunPair], before_tests: RunPair | None
) -> Transition:
    first = attempts[0]
    before, after = _side(first.base, test, file), _side(first.fixed, test, file)
    flaky, steady = _disagrees(test, file, attempts)
    found = Transition(test, file, before, after, flaky, steady_with_fix=steady)
    standing = before_tests is not None and _same_without_tests(found, before_tests)
    return dataclasses.replace(found, preexisting=standing)


def _side(run: Run, test: str, file: str) -> Side:
    status = run.status_of(test, file)
    outcome = run.outcomes.get(test) or run.outcomes.get(file)
    return Side(status) if outcome is None else _told(outcome, status)


def _told(outcome: TestOutcome, status: Status) -> Side:
    return Side(status, outcome.phase, outcome.duration_seconds, outcome.failure)


def _disagrees(test: str, file: str, attempts: Sequence[RunPair]) -> tuple[bool, bool]:
    """Whether a test ended in different ways on the same side, and nevertheless passed on R∘X.

    A test that never fails does not, whatever becomes of it: its name may be another in each run.
    """
    telling = _telling(test, file, attempts)
    base = {_end(run, test, file) for run in _reaching(test, file, [p.base for p in telling])}
    fixed = {_end(pair.fixed, test, file) for pair in telling}
    flaky = (len(base) > 1 or len(fixed) > 1) and any(s.fails for s in base | fixed)
    return flaky, flaky and fixed == {Status.PASSED}


def _telling(test: str, file: str, attempts: Sequence[RunPair]) -> Sequence[RunPair]:
    """The runs that say something of a test.

    One that passed on both sides is not run again: where another one hangs then, it did not.
    """
    first, *again = attempts
    if {_end(first.base, test, file), _end(first.fixed, test, file)} != {Status.PASSED}:
        return attempts
    return [first, *(pair for pair in again if _names(pair, test) or _names(pair, file))]


def _reaching(test: str, file: str, runs: Sequence[Run]) -> Sequence[Run]:
    """The runs less those that were cut in another test before they came to this one.

    All of them where it would stand on less than two.
    """
    reaching = [run for run in runs if not run.was_cut_before(test, file)]
    return reaching if len(reaching) > 1 else runs


def _names(pair: RunPair, test: str) -> bool:
    """Whether a run of either side has an outcome of that name."""
    return test in pair.base.outcomes or test in pair.fixed.outcomes


def _end(run: Run, test: str, file: str) -> Status:
    """How a test ended; what never ends runs out of memory or of time, whichever is first."""
    status = run.status_of(test, file)
    return Status.TIMEOUT if status is Status.OUT_OF_MEMORY else status


def _same_without_tests(found: Transition, before_tests: RunPair) -> bool:
    """Whether the test stood in the files before T and made the same transition there."""
    test, file = found.test, found.file
    if not _names(before_tests, test):
        return False
    return (
        before_tests.base.status_of(test, file) is found.before.status
        and before_tests.fixed.status_of(test, file) is found.after.status
    )


def is_success(found: Sequence[Transition]) -> bool:
    """S of the paper: some test of T is F->P, and no test of T fails on R∘X.

    Tests that stood there before T and end the same without it are not T's; a flaky test proves
    nothing, but one that fails on R∘X is still held against T.
    """
    own = [t for t in found if not t.preexisting]
    reproduces = any(t.kind == "F->P" and not t.flaky for t in own)
    return reproduces and not any(t.after.status.fails for t in own)


def outcome_before(transition: Transition) -> TestOutcome:
    """How the test ended on R, as a run reports it."""
    before = transition.before
    return TestOutcome(
        transition.test, transition.file, before.status, before.phase, failure=before.failure
    )
