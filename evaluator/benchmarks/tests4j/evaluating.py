"""Evaluates the samples of some methods of a repository together (thesis, section 3.4)."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.benchmarks.tests4j.compiling import SampleCompiler
from evaluator.benchmarks.tests4j.mutating import MutantRunner, MutatedMethod
from evaluator.benchmarks.tests4j.outcomes import Replies, SampleOutcomes, method_result
from evaluator.benchmarks.tests4j.preparing import PreparedRepository, StrippedRepository, Unit
from evaluator.benchmarks.tests4j.results import MethodResult, Mutants
from evaluator.benchmarks.tests4j.running import SampleRunner
from evaluator.benchmarks.tests4j.similarity import Ngram
from evaluator.environment.types import Uncompiled
from evaluator.languages.java.coverage.tool import MethodCoverage
from evaluator.workspace import Workspace


@dataclass(frozen=True)
class Evaluator:
    """Evaluates methods of a repository. `shared` are the n-grams that crystalBLEU leaves out."""

    workspace: Workspace
    prepared: PreparedRepository
    shared: frozenset[Ngram]
    reruns: int = 0
    mutants: bool = False

    @property
    def repository(self) -> StrippedRepository:
        """The repository without its tests."""
        return self.prepared

    def evaluate(self, replies: Sequence[Replies]) -> Mapping[str, MethodResult]:
        """The results of methods, by their ids.

        Raises CheckoutError, SandboxError and ToolError where the machine or the dataset is wrong.
        """
        trees, prepared = self.workspace.trees, self.prepared
        left_out = _left_out(prepared, replies)
        built = [each for each in replies if each.method.id not in left_out]
        overlays = prepared.environment.overlays
        with (
            trees.work_tree(prepared.pristine, overlays, prepared.stripped) as tree,
            tempfile.TemporaryDirectory(prefix="fixgate-tests4j-") as name,
        ):
            place = Path(name).resolve()
            compiler = SampleCompiler(self.workspace.sandbox, prepared, tree)
            outcomes = self._outcomes(built, compiler, place)
            covered = self._coverage(built, outcomes, place)
            mutants = self._mutants(built, outcomes, covered, compiler) if self.mutants else {}
        repository, shared = prepared.snapshot.name, self.shared
        return {
            (name := each.method.id): method_result(
                repository,
                each,
                outcomes,
                covered.get(name),
                mutants.get(name),
                shared,
                left_out.get(name),
            )
            for each in replies
        }

    def _outcomes(
        self, replies: Sequence[Replies], compiler: SampleCompiler, place: Path
    ) -> SampleOutcomes:
        compiled = compiler.compile([s for each in replies for s in each.samples], place / "all")
        outcomes = SampleOutcomes(compiled)
        for unit, own in self._by_unit(replies, outcomes).items():
            for number in range(1 + self.reruns):
                kept = place / f"{unit.name}-{number}"
                kept.mkdir()
                limits = self.workspace.limits
                runner = SampleRunner(compiler, unit, _traced(own), limits, kept)
                outcomes.add_run(runner.run(compiled), runner.recorded)
        return outcomes

    def _by_unit(
        self, replies: Sequence[Replies], outcomes: SampleOutcomes
    ) -> Mapping[Unit, Sequence[Replies]]:
        """Methods by the units of their tests, as far as any sample of these compiles."""
        found: dict[Unit, list[Replies]] = {}
        for each in replies:
            unit = self.prepared.test_unit(each.method.test_path)
            if unit is not None and any(map(unit.holds, outcomes.compiled.files)):
                found.setdefault(unit, []).append(each)
        return found

    def _coverage(
        self, replies: Sequence[Replies], outcomes: SampleOutcomes, place: Path
    ) -> Mapping[str, MethodCoverage]:
        methods = [outcomes.covered_by(each) for each in replies]
        sandbox, prepared = self.workspace.sandbox, self.prepared
        tool, classes = prepared.coverage, prepared.classes
        return tool.measure(sandbox, place, outcomes.recorded, classes, methods)

    def _mutants(
        self,
        replies: Sequence[Replies],
        outcomes: SampleOutcomes,
        covered: Mapping[str, MethodCoverage],
        compiler: SampleCompiler,
    ) -> Mapping[str, Mutants]:
        """The mutants of methods with code in modules of which a test compiles."""
        sandbox, limits = self.workspace.sandbox, self.workspace.limits
        runner = MutantRunner(sandbox, self.prepared, compiler.tree, limits)
        found: dict[str, Mutants] = {}
        for unit, own in self._by_unit(replies, outcomes).items():
            methods = [
                MutatedMethod(
                    each.method,
                    covered[each.method.id].descriptor,
                    [compiler.names[sample] for sample in outcomes.correct(each)],
                )
                for each in own
                if each.method.id in covered
            ]
            found |= runner.run(outcomes.compiled, unit, methods)
        return found


def _left_out(prepared: PreparedRepository, replies: Sequence[Replies]) -> Mapping[str, Uncompiled]:
    """What the repository is built without, of methods that stand in it, by their ids."""
    found = {each.method.id: prepared.left_out(each.method) for each in replies}
    return {name: code for name, code in found.items() if code}


def _traced(replies: Sequence[Replies]) -> Mapping[str, frozenset[int]]:
    """The lines whose executions are counted, by file."""
    lines: dict[str, frozenset[int]] = {}
    for each in replies:
        path = each.method.focal_path
        lines[path] = lines.get(path, frozenset()) | each.lines.namesakes
    return lines
