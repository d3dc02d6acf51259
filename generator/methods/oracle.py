"""What only a benchmark knows: its true fix, and whether tests are right by it."""

from __future__ import annotations

from evaluator import InputError, RunPair, applied, files_to_run, is_success
from evaluator.diff import Changes
from evaluator.transitions import transitions
from generator.method import MethodContext


def golden(work: MethodContext, name: str, instead: str) -> Changes:
    """The golden patch, for the method of a name.

    Raises InputError outside of replay, saying which method to use there instead.
    """
    if not work.settings.golden_patch:
        raise InputError(
            f"{name} asks the golden patch, which only a benchmark's instances have; "
            f"use `{instead}` elsewhere"
        )
    return applied(work.settings.golden_patch, work.task.subject.source).changes


def succeeds(work: MethodContext, tests: Changes, fix: Changes) -> bool:
    """S of SWT-Bench (section 3.1), for one run on each side. Raises SandboxError."""
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
