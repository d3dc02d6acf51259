"""Surrogate fixes: ways in which the issue might be solved, written without knowing the real one.

A test that fails on the base commit and passes with most of them is far more often right than one
that only fails (e-Otter++, https://arxiv.org/abs/2508.06365).
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluator import Run, Status, files_to_run
from evaluator.diff import Changes
from generator.loop import CODE, LONGEST_REPLY, Loop, LoopSettings, no_gate, shell_rules
from generator.method import Considered, MethodContext
from generator.model.protocol import Message, Parameters
from generator.prompts import render
from generator.test_runner import TestRunner

STEPS = 30
"""Replies of the conversation in which a fix is written."""
SAMPLING = 0.7
"""Temperature of every fix but the first, so that they differ."""


def surrogate_fix(work: MethodContext, number: int) -> Changes:
    """Let the model solve the issue in a tree of its own; empty where it changes no code.

    It sees the issue and the code, no candidate test and no fix that was written before. Raises
    SandboxError, ModelError and LimitReachedError.
    """
    settings = LoopSettings(
        steps=STEPS,
        parameters=Parameters(SAMPLING if number else 0.0, LONGEST_REPLY, number),
    )
    with work.runner.shell() as shell:
        task = render("surrogate", issue=work.task.issue, steps=settings.steps)
        messages = (shell_rules(work, settings), Message("user", task))
        ended = Loop(work, shell, messages, settings, no_gate, CODE).run()
    ended.raise_error()
    return ended.submission.changes


def is_sound(runner: TestRunner, fix: Changes, considered: Sequence[Considered]) -> bool:
    """Whether a fix breaks nothing that stands in the test files which the candidates touch."""
    if not fix.contents:
        return False
    source = runner.subject.source
    files = {file for one in considered for file in files_to_run(one.candidate.tests)}
    standing = {file: content for file in sorted(files) if (content := source(file)) is not None}
    if not standing:
        return True
    tests = Changes(standing)
    return not _broken(runner.run_tests(tests), runner.run_tests(tests, fix=fix))


def passes_with(runner: TestRunner, one: Considered, fix: Changes) -> bool:
    """Whether the tests that fail on the base commit pass with the fix, and none breaks."""
    tests = one.candidate.tests
    fixed = runner.run_tests(tests, fix=fix)
    failing = one.admission.failing
    passed = all(fixed.status_of(o.test, o.file) is Status.PASSED for o in failing)
    return passed and not _broken(runner.run_tests(tests), fixed)


def _broken(before: Run, after: Run) -> bool:
    passed = [o for o in before.outcomes.values() if o.status is Status.PASSED]
    return any(after.status_of(o.test, o.file).fails for o in passed)
