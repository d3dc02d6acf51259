"""Evaluates the samples of some methods of a repository together (thesis, section 3.4)."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.benchmarks.tests4j.compiling import Compiled, SampleCompiler
from evaluator.benchmarks.tests4j.dataset import FocalMethod
from evaluator.benchmarks.tests4j.java_files import read_java
from evaluator.benchmarks.tests4j.mutating import MutantRunner, MutatedMethod
from evaluator.benchmarks.tests4j.predictions import MethodReplies
from evaluator.benchmarks.tests4j.preparing import PreparedRepository, Unit
from evaluator.benchmarks.tests4j.results import MethodResult, Mutants, TestResult
from evaluator.benchmarks.tests4j.running import Executed, SampleRunner
from evaluator.benchmarks.tests4j.samples import Discarded, Fate, Sample, samples_of
from evaluator.benchmarks.tests4j.similarity import Ngram, similarity
from evaluator.languages.java.coverage.tool import CoveredBy, MethodCoverage
from evaluator.languages.java.syntax import first_line, last_line
from evaluator.workspace import Workspace

_SHOWN = 2000
"""Characters that are kept of a reply without a test."""


@dataclass(frozen=True)
class Replies:
    """A MUT and its processed replies."""

    method: FocalMethod
    model: str
    samples: tuple[Sample, ...]
    discarded: tuple[Discarded, ...]

    @staticmethod
    def of(method: FocalMethod, prediction: MethodReplies | None) -> Replies:
        """The replies that a prediction has; none where there is no prediction."""
        if prediction is None:
            return Replies(method, "", (), ())
        return Replies(method, prediction.model, *samples_of(method, prediction.replies))


@dataclass
class _Outcomes:
    """What is known of samples so far."""

    compiled: Compiled
    errors: dict[Sample, str] = field(default_factory=dict)
    executed: dict[Sample, Executed] = field(default_factory=dict)
    flaky: set[Sample] = field(default_factory=set)
    recorded: list[Path] = field(default_factory=list)


@dataclass(frozen=True)
class Evaluator:
    """Evaluates methods of a repository. `shared` are the n-grams that crystalBLEU leaves out."""

    workspace: Workspace
    prepared: PreparedRepository
    shared: frozenset[Ngram]
    reruns: int = 0
    mutants: bool = False

    def evaluate(self, replies: Sequence[Replies]) -> Mapping[str, MethodResult]:
        """The results of methods, by their ids.

        Raises CheckoutError, SandboxError and ToolError where the machine or the dataset is wrong.
        """
        trees, prepared = self.workspace.trees, self.prepared
        overlays = prepared.environment.overlays
        with (
            trees.work_tree(prepared.pristine, overlays, prepared.stripped) as tree,
            tempfile.TemporaryDirectory(prefix="fixgate-tests4j-") as name,
        ):
            place = Path(name).resolve()
            compiler = SampleCompiler(self.workspace.sandbox, prepared, tree)
            outcomes = self._outcomes(replies, compiler, place)
            covered = self._coverage(replies, outcomes, place)
            mutants = self._mutants(replies, outcomes, covered, compiler) if self.mutants else {}
        return {
            (name := each.method.id): dataclasses.replace(
                self._result(each, outcomes, covered.get(name)), mutants=mutants.get(name)
            )
            for each in replies
        }

    def _outcomes(
        self, replies: Sequence[Replies], compiler: SampleCompiler, place: Path
    ) -> _Outcomes:
        compiled = compiler.compile([s for each in replies for s in each.samples], place / "all")
        outcomes = _Outcomes(compiled, dict(compiled.errors))
        for unit, traced in self._units(replies, compiled).items():
            for number in range(1 + self.reruns):
                own = place / f"{unit.name}-{number}"
                own.mkdir()
                runner = SampleRunner(compiler, unit, traced, self.workspace.limits, own)
                executed = runner.run(compiled)
                outcomes.flaky |= _differing(outcomes.executed, executed)
                if number == 0:
                    outcomes.executed |= executed
                    outcomes.recorded += runner.recorded
        return outcomes

    def _units(
        self, replies: Sequence[Replies], compiled: Compiled
    ) -> Mapping[Unit, Mapping[str, frozenset[int]]]:
        """The units to run, and the lines of the methods that their tests are for."""
        traced: dict[Unit, dict[str, frozenset[int]]] = {}
        for each in replies:
            unit = self.prepared.test_unit(each.method.test_path)
            if unit is not None and each.method.test_path in compiled.files:
                lines = traced.setdefault(unit, {})
                path = each.method.focal_path
                wanted = self._lines(each.method) | self._overloads(each.method)
                lines[path] = lines.get(path, frozenset()) | wanted
        return traced

    def _lines(self, method: FocalMethod) -> frozenset[int]:
        """The lines of a MUT in its file."""
        text = self.prepared.source(method.focal_path).decode("utf-8", "replace")
        start = text.find(method.source)
        first = text.count("\n", 0, max(start, 0)) + 1
        return frozenset(range(first, first + method.source.count("\n") + 1) if start >= 0 else ())

    def _overloads(self, method: FocalMethod) -> frozenset[int]:
        """The lines of all methods of its class that have the name of a MUT."""
        file = read_java(method.focal_path, self.prepared.source(method.focal_path))
        own = (kind for kind in file.types if kind.binary_name == method.focal_class)
        nodes = [each.node for kind in own for each in kind.methods if each.name == method.name]
        return frozenset().union(*(range(first_line(n), last_line(n) + 1) for n in nodes))

    def _coverage(
        self, replies: Sequence[Replies], outcomes: _Outcomes, place: Path
    ) -> Mapping[str, MethodCoverage]:
        methods = [_covered_by(each, outcomes.executed) for each in replies]
        prepared = self.prepared
        return prepared.coverage.measure(
            self.workspace.sandbox, place, outcomes.recorded, prepared.classes, methods
        )

    def _mutants(
        self,
        replies: Sequence[Replies],
        outcomes: _Outcomes,
        covered: Mapping[str, MethodCoverage],
        compiler: SampleCompiler,
    ) -> Mapping[str, Mutants]:
        """The mutants of methods with code in modules of which a test compiles."""
        prepared, found = self.prepared, dict[str, Mutants]()
        wanted: dict[Unit, list[MutatedMethod]] = {}
        for each in replies:
            method = each.method
            unit = prepared.test_unit(method.test_path)
            names = [
                compiler.names[sample]
                for sample in each.samples
                if (executed := outcomes.executed.get(sample)) and not executed.reason
                if executed.lines & self._lines(method)
            ]
            if unit and method.id in covered:
                mutated = MutatedMethod(method, covered[method.id].descriptor, names)
                wanted.setdefault(unit, []).append(mutated)
        for unit, methods in wanted.items():
            if not any(map(unit.holds, outcomes.compiled.files)):
                continue
            runner = MutantRunner(
                self.workspace.sandbox,
                prepared,
                compiler.tree,
                prepared.mutator,
                self.workspace.limits,
            )
            found |= runner.run(outcomes.compiled, unit, methods)
        return found

    def _result(
        self, replies: Replies, outcomes: _Outcomes, covered: MethodCoverage | None
    ) -> MethodResult:
        method = replies.method
        lines = self._lines(method)
        tests = [_discarded(replies, each) for each in replies.discarded]
        tests += [self._test(replies, each, outcomes, lines) for each in replies.samples]
        name = self.prepared.snapshot.name
        result = MethodResult(name, method.id, tuple(sorted(tests, key=lambda test: test.reply)))
        if covered is None:
            return result
        return dataclasses.replace(
            result,
            lines=covered.lines,
            branches=covered.branches,
            lines_by_all=covered.lines_by_all,
            branches_by_all=covered.branches_by_all,
        )

    def _not_called(self, sample: Sample, executed: Executed | None) -> str:
        if executed and executed.lines & self._overloads(sample.method):
            return "it calls only another overload of the method under test"
        return "it does not call the method under test"

    def _test(
        self, replies: Replies, sample: Sample, outcomes: _Outcomes, lines: frozenset[int]
    ) -> TestResult:
        executed = outcomes.executed.get(sample)
        own = lines & executed.lines if executed else frozenset()
        fate, reason = _fate(outcomes.errors.get(sample), executed)
        if fate is Fate.CORRECT and not own:
            fate, reason = Fate.EXECUTED, self._not_called(sample, executed)
        human = [each.source for each in replies.method.tests]
        similar = similarity(sample.test.source, human, self.shared)
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
            lines=tuple(sorted(own)),
            flaky=sample in outcomes.flaky,
            bleu=similar.bleu,
            crystal_bleu=similar.crystal_bleu,
        )


def _fate(error: str | None, executed: Executed | None) -> tuple[Fate, str]:
    """How far a sample came, whatever it calls."""
    if error is not None:
        return Fate.NOT_COMPILED, error
    if executed is None:
        return Fate.NOT_EXECUTED, "Maven compiles its test class with no module's tests"
    if executed.reason:
        return Fate.NOT_EXECUTED, executed.reason
    return Fate.CORRECT, ""


def _discarded(replies: Replies, each: Discarded) -> TestResult:
    return TestResult(
        replies.method.id,
        replies.model,
        each.reply,
        "",
        each.source[:_SHOWN],
        each.fate,
        each.reason,
    )


def _covered_by(replies: Replies, executed: Mapping[Sample, Executed]) -> CoveredBy:
    """The coverage of a method counts what its passing tests executed."""
    own = (executed[each] for each in replies.samples if each in executed)
    method = replies.method
    tests = [test for each in own if not each.reason for test in each.tests]
    return CoveredBy(method.id, method.focal_class, method.name, method.parameters, tests)


def _differing(first: Mapping[Sample, Executed], again: Mapping[Sample, Executed]) -> set[Sample]:
    """Samples that passed only once."""
    known = again.keys() & first.keys()
    return {each for each in known if bool(first[each].reason) != bool(again[each].reason)}
