"""What came of the samples of some methods, and the results that follow from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.benchmarks.tests4j.compiling import Compiled
from evaluator.benchmarks.tests4j.dataset import FocalMethod
from evaluator.benchmarks.tests4j.focal import FocalLines
from evaluator.benchmarks.tests4j.predictions import MethodReplies
from evaluator.benchmarks.tests4j.results import MethodResult, Mutants, TestResult
from evaluator.benchmarks.tests4j.running import Executed
from evaluator.benchmarks.tests4j.samples import Discarded, Fate, Sample, samples_of
from evaluator.benchmarks.tests4j.similarity import Ngram, similarity
from evaluator.environment.types import Uncompiled
from evaluator.languages.java.coverage.tool import CoveredBy, MethodCoverage

_SHOWN = 2000
"""Characters that are kept of a reply without a test."""
_OVERLOAD = "it calls only another overload of the method under test"


@dataclass(frozen=True)
class Replies:
    """A MUT, where it stands, and its processed replies."""

    method: FocalMethod
    lines: FocalLines
    model: str
    samples: tuple[Sample, ...]
    discarded: tuple[Discarded, ...]

    @staticmethod
    def of(method: FocalMethod, lines: FocalLines, replies: MethodReplies | None) -> Replies:
        """The replies to a method; none where there is no prediction."""
        if replies is None:
            return Replies(method, lines, "", (), ())
        return Replies(method, lines, replies.model, *samples_of(method, replies.replies))


@dataclass
class SampleOutcomes:
    """What is known of samples: those that ran, and those whose reruns ended otherwise.

    `recorded` are the files with what they covered.
    """

    compiled: Compiled
    executed: dict[Sample, Executed] = field(default_factory=dict)
    flaky: set[Sample] = field(default_factory=set)
    recorded: list[Path] = field(default_factory=list)

    def add_run(self, executed: Mapping[Sample, Executed], recorded: list[Path]) -> None:
        """Take in a run: the first of a sample counts, later ones show whether it is flaky."""
        again = self.executed.keys() & executed.keys()
        self.flaky |= {s for s in again if self.executed[s].passed != executed[s].passed}
        if not again:
            self.executed |= executed
            self.recorded += recorded

    def passing(self, replies: Replies) -> Mapping[Sample, Executed]:
        """The samples of a method that passed."""
        ran = {each: self.executed[each] for each in replies.samples if each in self.executed}
        return {each: executed for each, executed in ran.items() if executed.passed}

    def correct(self, replies: Replies) -> list[Sample]:
        """The samples of a method that passed and executed it."""
        own = replies.lines.own
        return [each for each, executed in self.passing(replies).items() if executed.lines & own]

    def covered_by(self, replies: Replies) -> CoveredBy:
        """The coverage of a method counts what its passing tests executed."""
        method = replies.method
        tests = [test for executed in self.passing(replies).values() for test in executed.tests]
        return CoveredBy(method.id, method.focal_class, method.name, method.parameters, tests)

    def fate(self, replies: Replies, sample: Sample) -> tuple[Fate, str]:
        """How far a sample came, and why no further."""
        executed = self.executed.get(sample)
        if sample in self.compiled.errors:
            return Fate.NOT_COMPILED, self.compiled.errors[sample]
        if executed is None:
            return Fate.NOT_EXECUTED, "Maven compiles its test class with no module's tests"
        if not executed.passed:
            return Fate.NOT_EXECUTED, executed.reason
        if executed.lines & replies.lines.own:
            return Fate.CORRECT, ""
        if executed.lines & replies.lines.namesakes:
            return Fate.EXECUTED, _OVERLOAD
        return Fate.EXECUTED, "it does not call the method under test"


def method_result(
    repository: str,
    replies: Replies,
    outcomes: SampleOutcomes,
    covered: MethodCoverage | None,
    mutants: Mutants | None,
    shared: frozenset[Ngram],
    left_out: Uncompiled | None = None,
) -> MethodResult:
    """The result of a method; `shared` are the n-grams that crystalBLEU leaves out.

    Its tests have no other fate where it, or its test class, is left out.
    """
    tests = [_discarded(replies, each) for each in replies.discarded]
    tests += [_test(replies, each, outcomes, shared) for each in replies.samples]
    if left_out:
        tests = [_left_out(test, left_out) for test in tests]
    return MethodResult(
        repository,
        replies.method.id,
        tuple(sorted(tests, key=lambda test: test.reply)),
        lines=covered.lines if covered else None,
        branches=covered.branches if covered else None,
        lines_by_all=covered.lines_by_all if covered else None,
        branches_by_all=covered.branches_by_all if covered else None,
        mutants=mutants,
        left_out=left_out,
    )


def _left_out(test: TestResult, code: Uncompiled) -> TestResult:
    if test.fate is Fate.DUPLICATE:
        return test
    reason = f"the repository is built without {code.place}: {code.reason}"
    return dataclasses.replace(test, fate=Fate.LEFT_OUT, reason=reason)


def _test(
    replies: Replies, sample: Sample, outcomes: SampleOutcomes, shared: frozenset[Ngram]
) -> TestResult:
    fate, reason = outcomes.fate(replies, sample)
    executed = outcomes.executed.get(sample)
    similar = similarity(sample.test.source, [each.source for each in replies.method.tests], shared)
    return TestResult(
        method=replies.method.id,
        model=replies.model,
        reply=sample.reply,
        name=sample.test.name,
        source=sample.test.source,
        fate=fate,
        reason=reason,
        steps=tuple(step.value for step in sample.test.steps),
        seconds=round(executed.seconds, 3) if executed else 0.0,
        lines=tuple(sorted(executed.lines & replies.lines.own)) if executed else (),
        calls_overload=reason == _OVERLOAD,
        flaky=sample in outcomes.flaky,
        bleu=similar.bleu,
        crystal_bleu=similar.crystal_bleu,
    )


def _discarded(replies: Replies, each: Discarded) -> TestResult:
    return TestResult(
        method=replies.method.id,
        model=replies.model,
        reply=each.reply,
        name="",
        source=each.source[:_SHOWN],
        fate=each.fate,
        reason=each.reason,
    )
