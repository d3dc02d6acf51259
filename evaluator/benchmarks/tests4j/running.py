"""Runs samples until each has run or is known to end the run (thesis, section 3.4.5, p. 17).

The thesis removes what fails and runs the rest again for its coverage. Here coverage is recorded
test by test, so that the rest runs again only where a test ended the whole virtual machine.
"""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.benchmarks.tests4j.compiling import Compiled, SampleCompiler
from evaluator.benchmarks.tests4j.preparing import PreparedRepository, Unit
from evaluator.benchmarks.tests4j.samples import Sample
from evaluator.languages.java.coverage.tool import RECORDED
from evaluator.model import Run, Status, TestOutcome
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.protocol import ExitReason, ResourceLimits

TEST_SECONDS = 10
"""What a test may take (thesis, section 3.4.1, p. 16)."""
_METHOD = re.compile(r"::(\w+)(?:\[[^\]]*\])*(?:#\d+)?\Z")
_MOST_ROUNDS = 40


@dataclass(frozen=True)
class Executed:
    """What came of a sample: the reason is "" where it passed.

    `tests` are its names in the runs, several for a parameterized one. `lines` of the focal file
    are those of traced ones that it executed.
    """

    reason: str
    seconds: float = 0.0
    tests: tuple[str, ...] = ()
    lines: frozenset[int] = frozenset()

    @property
    def passed(self) -> bool:
        """Whether all its tests ran to their end."""
        return not self.reason


@dataclass
class SampleRunner:
    """Runs samples of one unit; files that runs recorded are kept in `place`."""

    compiler: SampleCompiler
    unit: Unit
    traced: Mapping[str, frozenset[int]]
    limits: ResourceLimits
    place: Path
    recorded: list[Path] = field(default_factory=list)
    _rounds: int = 0

    @property
    def prepared(self) -> PreparedRepository:
        """The repository."""
        return self.compiler.prepared

    def run(self, compiled: Compiled) -> Mapping[Sample, Executed]:
        """Run all samples of the unit that compile. Raises SandboxError, ToolError."""
        done: dict[Sample, Executed] = {}
        while True:
            run = self._once(compiled)
            found = _results(compiled, run)
            done |= found
            left = [each for each in _samples(compiled, self.unit) if each not in done]
            if not left or not found or _ended(run) or self._rounds >= _MOST_ROUNDS:
                return done | {each: Executed(_why_not(each, compiled, run)) for each in left}
            compiled = self.compiler.compile(left, self.place / f"again-{self._rounds}")
            done |= {
                each: Executed(f"not run again: {why}") for each, why in compiled.errors.items()
            }

    def _once(self, compiled: Compiled) -> Run:
        self._rounds += 1
        prepared = self.prepared
        classes = {each.focal_class for each in prepared.snapshot.methods}
        options = prepared.coverage.options(sorted(classes))
        environment = dataclasses.replace(
            prepared.environment,
            options=(*options, f"-Dfixgate.seconds={TEST_SECONDS}"),
            # Before the repository's own jars, where another version of the agent may lie.
            launcher=(prepared.coverage.agent, *prepared.environment.launcher),
            compiled=compiled.report,
            visible=(
                *prepared.environment.visible,
                *prepared.coverage.visible,
                compiled.report.parent,
            ),
        )
        files = tuple(path for path in compiled.files if self.unit.holds(path))
        request = RunRequest(
            self.compiler.tree, environment, files, traced=self.traced, limits=self.limits
        )
        run = run_tests(self.compiler.sandbox, request)
        self._keep_recorded()
        return run

    def _keep_recorded(self) -> None:
        file = self.compiler.tree / RECORDED
        if file.is_file() and not file.is_symlink():
            kept = self.place / f"recorded-{self.unit.name}-{self._rounds}"
            shutil.move(file, kept)
            self.recorded.append(kept)


def _samples(compiled: Compiled, unit: Unit) -> list[Sample]:
    files = (file for path, file in compiled.files.items() if unit.holds(path))
    return [each.sample for file in files for each in file.inserted]


def _ended(run: Run) -> bool:
    """Whether a run came to its own end, so that what did not run in it never will."""
    return run.ending is ExitReason.EXITED


def _results(compiled: Compiled, run: Run) -> Mapping[Sample, Executed]:
    outcomes: dict[Sample, list[TestOutcome]] = {}
    for outcome in run.outcomes.values():
        inserted = compiled.sample(outcome.file, method_name(outcome.test))
        if inserted is not None:
            outcomes.setdefault(inserted.sample, []).append(outcome)
    return {sample: _executed(sample, own, run) for sample, own in outcomes.items()}


def method_name(test: str) -> str:
    """The method that a test is, by its name in a run; "" where it is none."""
    match = _METHOD.search(test)
    return match[1] if match else ""


def _executed(sample: Sample, outcomes: Sequence[TestOutcome], run: Run) -> Executed:
    reasons = (_reason(each) for each in outcomes)
    names = tuple(each.test for each in outcomes)
    lines = (run.contexts.get(name, {}).get(sample.method.focal_path, ()) for name in names)
    return Executed(
        next(filter(None, reasons), ""),
        sum(each.duration_seconds for each in outcomes),
        names,
        frozenset().union(*lines),
    )


def _reason(outcome: TestOutcome) -> str:
    """Why a test did not pass, "" where it did."""
    if outcome.status is Status.PASSED:
        return ""
    failure = outcome.failure
    words = f"{failure.exception_type}: {failure.message}".strip(": ") if failure else ""
    return f"{outcome.status.value}: {words}".strip(": ")


def _why_not(sample: Sample, compiled: Compiled, run: Run) -> str:
    if not _ended(run):
        last = run.output.strip().splitlines()[-1:]
        return ": ".join(["the run ended before it", run.ending.value, *last])
    of_class = (
        _reason(each)
        for each in run.outcomes.values()
        if each.file == sample.method.test_path
        and compiled.sample(each.file, method_name(each.test)) is None
    )
    return ": ".join(["the framework did not run it", *[why for why in of_class if why][:1]])
