"""What existing tests expect, and no longer get where a change edits or deletes them or their data.

The tests as they stand on the base run on the code with the change, too, with the base's helpers
and data. Tests that are only added, moved or renamed change nothing in this.
"""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.diff import Changes
from evaluator.execution import Executor, RunPair, Subject
from evaluator.judge import Judgement
from evaluator.languages import runnable_test_files
from evaluator.model import Run, Status, Transition
from evaluator.test_names import aligned, function_name
from evaluator.transitions import transition
from evaluator.verification.readers import heirs, readers

_MOST_USERS = 20
"""Test files that run for the helpers and data that a change edits, the nearest first."""


def unmet_expectations(
    executor: Executor, subject: Subject, tests: Changes, judgement: Judgement
) -> tuple[Transition, ...]:
    """The existing tests that pass on the base and, as they stand there, not with the change.

    `tests` are those of the change, `judgement` what they showed. What a rerun does not confirm is
    left out. Raises SandboxError.
    """
    files = _files(subject, tests, judgement)
    others = tuple(path for path in files if path not in judgement.files)
    pairs = [judgement.before_tests] if judgement.before_tests else []
    pairs += [executor.both(subject, Changes(), others)] if others else []
    lost = frozenset(each.test for pair in pairs for each in _lost(pair))
    if not lost:
        return ()
    standing = [path for path in judgement.files if subject.files(path) is not None]
    again = executor.both(
        subject, Changes(), tuple(dict.fromkeys([*files, *standing])), attempt=1, only=lost
    )
    confirmed = [each for each in _lost(again) if each.test in lost]
    return tuple(sorted(confirmed, key=lambda each: each.test))


def _lost(pair: RunPair) -> Iterator[Transition]:
    pair = RunPair(*aligned((pair.base, pair.fixed)))
    left = {function_name(test) for test in pair.fixed.outcomes}
    for test, outcome in pair.base.outcomes.items():
        if outcome.status is Status.PASSED and not _holds(pair.fixed, test, outcome.file, left):
            yield transition(test, outcome.file, pair)


def _holds(run: Run, test: str, file: str, functions: set[str]) -> bool:
    """Whether a test passes, or is a case that is gone of a test that is still there."""
    status = run.status_of(test, file)
    gone = status is Status.MISSING and function_name(test) in functions
    return gone or status is Status.PASSED


def _files(subject: Subject, tests: Changes, judgement: Judgement) -> tuple[str, ...]:
    """The test files of the base that the change edits or deletes, or whose data it does.

    Of edited classes whose tests others inherit, these are meant.
    """
    edited = [
        path for path, new in tests.contents.items() if subject.files(path) not in (None, new)
    ]
    files = runnable_test_files(sorted(edited))
    data = [path for path in edited if path not in files]
    users = (*readers(subject, data, _MOST_USERS), *heirs(subject, files, judgement))
    return tuple(dict.fromkeys([*files, *users]))
