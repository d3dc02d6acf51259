"""Evaluates by Maven, the thesis's way (section 3.4, pp. 15 to 18), to compare with.

Maven compiles the whole repository with all samples until none has errors, runs them without those
that fail until none does, and JaCoCo's report of the last run is what they cover together. It does
not say which of them called their MUT: here, those that name it and pass, if it was covered.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.benchmarks.tests4j.compiling import Compiled, Errors, SampleFiles
from evaluator.benchmarks.tests4j.java_files import read_java
from evaluator.benchmarks.tests4j.maven_poms import configure
from evaluator.benchmarks.tests4j.maven_reports import (
    JacocoReport,
    ReportedTest,
    compile_errors,
    reported_tests,
)
from evaluator.benchmarks.tests4j.outcomes import Replies, SampleOutcomes, method_result
from evaluator.benchmarks.tests4j.preparing import StrippedRepository
from evaluator.benchmarks.tests4j.results import MethodResult
from evaluator.benchmarks.tests4j.running import TEST_SECONDS, Executed
from evaluator.benchmarks.tests4j.samples import Sample
from evaluator.benchmarks.tests4j.scaffold import Filled
from evaluator.benchmarks.tests4j.similarity import Ngram
from evaluator.benchmarks.tests4j.sources import framework_of
from evaluator.benchmarks.tests4j.time_limits import limited
from evaluator.diff import write
from evaluator.environment.tools import ToolError, copy_tree
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.coverage.tool import JACOCO
from evaluator.languages.java.environment.build import JavaBuilder
from evaluator.languages.java.environment.jdk import OLDEST_LEVEL
from evaluator.languages.java.environment.lifecycle import use_compilers_of_today
from evaluator.languages.java.environment.maven import Maven, cause
from evaluator.storage.scratch import scratch
from evaluator.workspace import Workspace

_PLUGIN = f"org.jacoco:jacoco-maven-plugin:{JACOCO}"
_COMPILING = ("clean", "test-compile")
_TESTING = ("clean", f"{_PLUGIN}:prepare-agent", "test", f"{_PLUGIN}:report")
_OPTIONS = (
    *("-fae", "-Dmaven.test.failure.ignore=true", "-DfailIfNoTests=false", "-Djacoco.skip=false"),
    f"-Djunit.jupiter.execution.timeout.test.method.default={TEST_SECONDS} s",
)
_MOST_ROUNDS = 20


@dataclass(frozen=True)
class _Build:
    """A tree that Maven builds, in a directory that belongs to Maven."""

    maven: Maven
    place: Path
    repository: Path

    @property
    def tree(self) -> Path:
        return self.place / "tree"

    def run(self, goals: Sequence[str]) -> str:
        """Maven's output, be it that of a failure."""
        try:
            return self.maven.run(
                [*_OPTIONS, *goals],
                directory=self.tree,
                private=self.place,
                repository=self.repository,
            )
        except ToolError as error:
            return error.log

    def check(self) -> None:
        """Raises EnvironmentBuildError where Maven does not even build it without samples."""
        log = self.run(_TESTING)
        if "BUILD SUCCESS" not in log:
            reason = cause(ToolError(log)).replace(f"{self.tree}/", "")
            raise EnvironmentBuildError(f"Maven does not build it: {reason}", log=log)

    def errors(self) -> Errors:
        """Why files do not compile, by their paths."""
        return compile_errors(self.run(_COMPILING), self.tree)


@dataclass(frozen=True)
class MavenEvaluator:
    """Evaluates methods of a repository. `shared` are the n-grams that crystalBLEU leaves out."""

    workspace: Workspace
    repository: StrippedRepository
    shared: frozenset[Ngram]

    def evaluate(self, replies: Sequence[Replies]) -> Mapping[str, MethodResult]:
        """The results of methods, by their ids.

        What has to be downloaded is, for the repository without samples; these see no network.
        Raises CheckoutError, EnvironmentBuildError, SandboxError and ToolError.
        """
        workspace, snapshot = self.workspace, self.repository.snapshot
        builder = JavaBuilder(workspace.cache, sandbox=workspace.sandbox, offline=workspace.offline)
        maven, downloads = builder.maven(snapshot.name, _level(snapshot.java_level))
        with scratch(workspace.cache) as place:
            self._lay(place / "tree")
            with downloads.repository(place / "repository") as repository:
                _Build(maven, place, repository).check()
            own = dataclasses.replace(downloads, trusted=False)
            with own.repository(place / "repository") as repository:
                offline = dataclasses.replace(maven, offline=True)
                return self._results(replies, _Build(offline, place, repository))

    def _lay(self, tree: Path) -> None:
        copy_tree(self.repository.pristine, tree)
        write(self.repository.stripped, tree)
        use_compilers_of_today(tree)
        configure(tree)

    def _results(self, replies: Sequence[Replies], build: _Build) -> Mapping[str, MethodResult]:
        samples = [sample for each in replies for sample in each.samples]
        files = SampleFiles(self.repository, build.tree, edited=_limited)
        filled, errors = files.compile(samples, build.errors)
        executed = _executed(build, files, [s for s in samples if s not in errors])
        report = JacocoReport.read(build.tree)
        outcomes = SampleOutcomes(Compiled(filled, errors, build.place))
        for each in replies:
            outcomes.executed |= _with_lines(each, executed, report)
        return {
            each.method.id: method_result(
                self.repository.snapshot.name,
                each,
                outcomes,
                report.method(outcomes.covered_by(each)),
                None,
                self.shared,
            )
            for each in replies
        }


def _level(stated: str | None) -> int:
    digits = re.fullmatch(r"(?:1\.)?(\d+)", stated or "")
    return max(int(digits[1]) if digits else OLDEST_LEVEL, OLDEST_LEVEL)


def _limited(sample: Sample, source: str) -> str:
    file = read_java("", sample.method.test_context.encode())
    return limited(source, framework_of(file, is_junit3=False), TEST_SECONDS)


def _executed(
    build: _Build, files: SampleFiles, samples: Sequence[Sample]
) -> dict[Sample, Executed]:
    """What came of samples that compile: run again without those that fail, until none does."""
    executed: dict[Sample, Executed] = {}
    for _ in range(_MOST_ROUNDS):
        left = [each for each in samples if each not in executed]
        filled = files.write(left, {})
        log = build.run(_TESTING)
        found = _results_of(filled, reported_tests(build.tree))
        silent = dict.fromkeys(left, Executed(f"Maven ran no such test: {_ending(log)}"))
        failed = {each: end for each, end in (silent | found).items() if not end.passed}
        executed |= failed
        if not failed:
            return executed | found
    return executed


def _ending(log: str) -> str:
    return "" if "BUILD SUCCESS" in log else cause(ToolError(log))


def _results_of(
    files: Mapping[str, Filled], reported: Iterable[ReportedTest]
) -> dict[Sample, Executed]:
    """What surefire reports of samples; the first failure counts of one that runs repeatedly."""
    inserted = {
        (each.sample.method.test_class, each.name): each.sample
        for file in files.values()
        for each in file.inserted
    }
    results: dict[Sample, Executed] = {}
    for test in reported:
        sample = inserted.get((test.class_name, test.method))
        if sample is not None:
            before = results.get(sample, Executed(""))
            seconds = before.seconds + test.seconds
            results[sample] = Executed(before.reason or test.reason, seconds)
    return results


def _with_lines(
    replies: Replies, executed: Mapping[Sample, Executed], report: JacocoReport
) -> Mapping[Sample, Executed]:
    """Tests that name their MUT, with all lines of its file that were covered."""
    covered = report.lines(replies.method.focal_path)
    name = re.compile(rf"\b{re.escape(replies.method.name)}\b")
    return {
        sample: dataclasses.replace(
            executed[sample], lines=covered if name.search(sample.test.source) else frozenset()
        )
        for sample in replies.samples
        if sample in executed
    }
