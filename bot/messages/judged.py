"""A verification with the tests of issues that it rests on, as the texts of a check look at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.github.models import Issue
from evaluator import Basis, Judgement, LineState, Transition, Verification
from evaluator.diff import Changes, Source


@dataclass(frozen=True)
class IssueTest:
    """The test of an issue by which a pull request is judged.

    `patch` is a unified diff against the base, `tests` what it makes of the files that it changes,
    and `base` reads the others. `tests_id` is that of the kept tests.
    """

    issue: Issue
    patch: str
    tests: Changes
    base: Source
    tests_id: int = 0

    @property
    def number(self) -> int:
        """The issue's number."""
        return self.issue.number

    @property
    def source(self) -> Source:
        """Reads the base with the test."""
        return self.tests.overlaid(self.base)


@dataclass(frozen=True)
class Judged:
    """A verification, the tests in the order of its `given`, and a reader of the head's files."""

    verification: Verification
    tests: Sequence[IssueTest]
    head: Source

    @property
    def by_issue(self) -> Sequence[tuple[IssueTest, Judgement]]:
        """Each test of an issue with how it ended."""
        return list(zip(self.tests, self.verification.given.values(), strict=False))

    @property
    def named(self) -> Sequence[tuple[str, Judgement]]:
        """All judgements with where their tests come from."""
        return [*self.verification.given.items(), ("this change", self.verification.own)]

    def source(self, transition: Transition) -> Source:
        """Reads the test files that a test was run from."""
        for test, judgement in self.by_issue:
            if transition in judgement.transitions:
                return test.source
        return self.head

    @property
    def has_no_test(self) -> bool:
        """Whether there was no test to run, and not only no way to lay the change out."""
        evidence = self.verification.evidence
        return not evidence.transitions and not evidence.beyond

    @property
    def reproducing(self) -> str:
        """How many tests fail without the change and pass with it, in words."""
        count = len({test.test for test in self.verification.evidence.reproducing})
        test, fail, passes = (
            ("test", "fails", "passes") if count == 1 else ("tests", "fail", "pass")
        )
        own = " of its own" if self.verification.verdict.basis is Basis.OWN_TESTS else ""
        return f"{count} {test}{own} {fail} without this change and {passes} with it"

    @property
    def executed(self) -> str:
        """How many changed lines reproducing tests execute; "" where none can be executed."""
        states = [line.state for line in self.verification.lines]
        executable = [state for state in states if state is not LineState.NOT_EXECUTABLE]
        covered = executable.count(LineState.COVERED)
        return f"{covered} of {len(executable)} changed lines executed" if executable else ""
