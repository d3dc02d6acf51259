"""Runs of reproducing tests with other expected values.

Code and tests share one process, so that code can have any test pass: by what it returns (a value
that equals everything), or by changing what runs it. It cannot know which of the values that it is
compared with is the expected one. Tests that do not notice the difference say nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from evaluator.diff import Changes
from evaluator.execution import Executor, Subject
from evaluator.judge import Judgement
from evaluator.languages.safeguards import NegatedTests
from evaluator.model import Revision, Run, Status, Transition
from evaluator.storage.keys import content_key
from evaluator.test_names import function_of
from evaluator.verdict.evidence import Sensitivity, TrialOutcome, reproduces

_SHORTEST_LIMIT = 60.0
"""Seconds that tests may take with other values at least."""
_MOST_TIMES = 10
"""How often as long as they did with the expected ones they may take: each is tried with several,
and what does not end (two long texts that are compared line by line, seen in ics) never does.
"""


def sensitivity(
    executor: Executor, subject: Subject, tests: Changes, judgement: Judgement
) -> tuple[Sensitivity, ...]:
    """How each test reacts that fails without the change and passes with it.

    One run on the fixed side, of these tests alone. Where an assertion holds with other values,
    one more on the base: what holds there as often is not by the change (everything may lie in a
    set of all but one thing), and not what the test fails by. The same goes for objects that are
    equal and have different hashes. Raises SandboxError.
    """
    trying = [t for t in judgement.transitions if reproduces(t)]
    if not trying:
        return ()
    files = tuple(sorted({t.file for t in trying}.intersection(judgement.files)))
    as_expected = judgement.attempts[0].fixed.wall_seconds
    seconds = max(_SHORTEST_LIMIT, _MOST_TIMES * as_expected)
    trials = _Trials(executor, subject, tests, files, seconds)
    fixed = trials.run(Revision.FIXED, trying)
    base = trials.run(Revision.BASE, [t for t in trying if fixed.said(t).is_in_doubt])
    return tuple(_reaction(t, fixed, base) for t in trying)


@dataclass(frozen=True)
class _Said:
    """What a test reports: the lines in which assertions held, and how many noticed.

    In those of `unlike`, equal objects have different hashes. `tried` is whether it reports
    anything.
    """

    tried: bool = False
    held: Counter[str] = field(default_factory=Counter)
    unlike: Counter[str] = field(default_factory=Counter)
    noticed: int = 0

    @property
    def is_in_doubt(self) -> bool:
        """Whether something was found that the base may do as well."""
        return bool(self.held or self.unlike)


@dataclass(frozen=True)
class _Tried:
    """A run of tests that try their assertions."""

    negated: NegatedTests
    results: Run | None = None

    def passed(self, test: Transition) -> bool:
        """Whether a test passes, which no function does that was found and rewritten."""
        return self._status(test) is Status.PASSED

    def was_cut_short(self, test: Transition) -> bool:
        """Whether a test had not ended when the time was over."""
        return self._status(test) is Status.TIMEOUT

    def _status(self, test: Transition) -> Status:
        return self.results.status_of(test.test, test.file) if self.results else Status.MISSING

    def said(self, test: Transition) -> _Said:
        """What the outcome of a test comes to."""
        outcome = self.results.outcomes.get(test.test) if self.results else None
        message = outcome.failure.message if outcome and outcome.failure else ""
        lines = r"(?:held ([\d, ]+); )?(?:unlike ([\d, ]+); )?"
        pattern = rf"{self.negated.token} {lines}noticed (\d+)"
        found = re.search(pattern, message) if self.negated.token else None
        if found is None:
            return _Said()
        held, unlike = (Counter(re.findall(r"\d+", each or "")) for each in found.groups()[:2])
        return _Said(True, held, unlike, int(found[3]))


@dataclass(frozen=True)
class _Trials:
    """The files of some tests, whose assertions are tried on either side of a change."""

    executor: Executor
    subject: Subject
    tests: Changes
    files: tuple[str, ...]
    seconds: float

    def run(self, side: Revision, trying: Sequence[Transition]) -> _Tried:
        """Some of the tests on one side; nothing runs where there are none, or cannot be tried."""
        negated = self._negated(side, {function_of(t.test) for t in trying})
        if not negated.contents:
            return _Tried(negated)
        changes = self.tests.merged(Changes(negated.contents))
        names = frozenset(t.test for t in trying)
        results = self.executor.run(
            self.subject, side, changes, self.files, only=names, seconds=self.seconds
        )
        return _Tried(negated, results)

    def _negated(self, side: Revision, functions: Collection[str]) -> NegatedTests:
        subject = self.subject
        if not functions:
            return NegatedTests()
        code = subject.files if side is Revision.BASE else subject.fix.overlaid(subject.files)
        read = self.tests.overlaid(code)
        key = content_key(subject.repo, subject.commit, subject.fix.digest, self.tests.digest)
        return subject.language.safeguards.negate_assertions(
            self.files, frozenset(functions), read, subject.environments[side], key
        )


def _reaction(test: Transition, fixed: _Tried, base: _Tried) -> Sensitivity:
    """How a test reacts; one that does not say so was not tried."""

    def reacts(outcome: TrialOutcome, assertions: int = 0, place: str = "") -> Sensitivity:
        return Sensitivity(test.test, test.file, outcome, assertions, place)

    if fixed.passed(test):
        # A function that only a part of its name was found for may be another test.
        known = function_of(test.test) in fixed.negated.functions
        return reacts(TrialOutcome.HELD if known else TrialOutcome.UNTRIED)
    if fixed.was_cut_short(test):
        return reacts(TrialOutcome.UNFINISHED)
    said = fixed.said(test)
    if not said.tried:
        return reacts(TrialOutcome.UNTRIED)
    if by_the_change := said.held - base.said(test).held:
        return reacts(TrialOutcome.HELD, place=f"line {next(iter(by_the_change))}")
    if unlike := said.unlike - base.said(test).unlike:
        return reacts(TrialOutcome.UNLIKE, said.noticed, f"line {next(iter(unlike))}")
    return reacts(TrialOutcome.NOTICED if said.noticed else TrialOutcome.NOTHING, said.noticed)
