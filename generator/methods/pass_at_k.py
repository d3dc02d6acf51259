"""`pass-at-k`: what a perfect choice among samples would reach (SWT-Bench, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluator import InputError, RunPair, applied, files_to_run, is_success
from evaluator.diff import Changes
from evaluator.transitions import transitions
from generator.candidate import Candidate
from generator.conversations.single_shot import SingleShotMethod
from generator.method import Choice, Considered, MethodContext


class PassAtK(SingleShotMethod):
    """Sample five times as zeroshotplus asks, and let the true fix choose: an oracle."""

    name = "pass-at-k"
    replay_only = True
    prompt = "zeroshotplus"
    samples = 5

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """The tests of each answer, at temperature 0.7. Raises InputError outside of replay."""
        _golden(work)
        return super().candidates(work)

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:
        """The first one that fails without the golden patch and passes with it.

        Admission is not asked: the oracle knows better. Raises InputError outside of replay.
        """
        fix = _golden(work)
        for number, one in enumerate(considered, start=1):
            if files_to_run(one.candidate.tests) and _succeeds(work, one.candidate.tests, fix):
                return Choice(one, f"proposal {number} passes with the golden patch", 1.0)
        return None


def _golden(work: MethodContext) -> Changes:
    if not work.settings.golden_patch:
        raise InputError(
            "pass-at-k lets the golden patch choose, which only a benchmark's instances have; "
            "use `libro` elsewhere"
        )
    return applied(work.settings.golden_patch, work.task.subject.source).changes


def _succeeds(work: MethodContext, tests: Changes, fix: Changes) -> bool:
    """S of SWT-Bench (section 3.1), for one run on each side."""
    standing = _standing(work, tests)
    before = _both(work, standing, fix) if standing.contents else None
    return is_success(transitions((_both(work, tests, fix),), before))


def _both(work: MethodContext, tests: Changes, fix: Changes) -> RunPair:
    return RunPair(work.runner.run_tests(tests), work.runner.run_tests(tests, fix=fix))


def _standing(work: MethodContext, tests: Changes) -> Changes:
    """The files that the tests change, as they stand without them."""
    source = work.task.subject.source
    contents = {path: source(path) for path in files_to_run(tests)}
    return Changes({path: old for path, old in contents.items() if old is not None})
