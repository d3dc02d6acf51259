"""Whether the tests of a repository can be run: a sample of its test files, as they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.diff import Changes
from evaluator.environment.discovery import discover_recipe
from evaluator.environment.types import Addition, Environment
from evaluator.execution import Subject
from evaluator.languages import framework_of, is_test_file, runnable_test_files
from evaluator.languages.failures import described
from evaluator.model import Phase, Revision, Run, Status
from evaluator.repair import repaired
from evaluator.sandbox.protocol import ExitReason
from evaluator.steps import JudgingStep
from evaluator.workspace import Workspace


@dataclass(frozen=True)
class Readiness:
    """What the test files of a commit showed in the environment that was found for it.

    `files` is how many there are, `run` that of the `sample`, `added` what was added to what the
    repository says of itself.
    """

    environment: Environment
    added: tuple[Addition, ...]
    files: int
    sample: tuple[str, ...]
    run: Run

    def count(self, *statuses: Status) -> int:
        """How many tests of the sample ended so."""
        return sum(outcome.status in statuses for outcome in self.run.outcomes.values())

    @property
    def unloaded(self) -> Mapping[str, str]:
        """The files of the sample that cannot be loaded, each with why."""
        return {
            test: described(outcome.failure) if outcome.failure else "without a message"
            for test, outcome in sorted(self.run.outcomes.items())
            if outcome.status.fails and outcome.phase is Phase.COLLECTION
        }

    @property
    def stopped_in(self) -> tuple[str, ...]:
        """The tests in which the run was stopped, or ended by itself before its end."""
        return tuple(t for t, outcome in self.run.outcomes.items() if outcome.status.is_cut_short)

    @property
    def not_reached(self) -> tuple[str, ...]:
        """The files of the sample that a run did not come to that was stopped."""
        reached = {outcome.file for outcome in self.run.outcomes.values()}
        stopped = self.run.ending is not ExitReason.EXITED
        return tuple(file for file in self.sample if stopped and file not in reached)

    @property
    def ready(self) -> bool:
        """Whether tests pass, and every file of the sample can be loaded."""
        return self.count(Status.PASSED) > 0 and not self.unloaded


def readiness(
    workspace: Workspace, repo: str, commit: str, *, most_files: int, seconds: float
) -> Readiness:
    """Build the environment of a commit, add what is lacking, and run at most so many test files.

    A run is stopped after so many seconds: it shows what tests need, not whether all of them pass.
    Raises CheckoutError, EnvironmentBuildError or SandboxError.
    """

    def run(subject: Subject) -> Sequence[Run]:
        sample = _sample(_test_files(subject), most_files)
        with workspace.observe(JudgingStep.SAMPLE):
            base = Revision.BASE
            return [workspace.executor.run(subject, base, Changes(), sample, seconds=seconds)]

    found = repaired(
        lambda recipe_for: workspace.base(repo, commit, recipe_for), discover_recipe, run
    )
    files = _test_files(found.subject)
    environment = found.subject.environments[Revision.BASE]
    (result,) = run(found.subject)
    return Readiness(environment, found.added, len(files), _sample(files, most_files), result)


def _test_files(subject: Subject) -> tuple[str, ...]:
    """The test files of the base commit that its framework runs, in order."""
    tree = subject.pristine
    framework = framework_of(subject.environments[Revision.BASE].recipe)
    paths = sorted(_relative(path, tree) for path in tree.rglob("*") if path.is_file())
    files = runnable_test_files(filter(is_test_file, paths))
    return tuple(path for path in files if framework.selects(path, tree))


def _relative(path: Path, tree: Path) -> str:
    return path.relative_to(tree).as_posix()


def _sample(files: Sequence[str], most: int) -> tuple[str, ...]:
    """At most so many of the files, from all over the list."""
    if len(files) <= most:
        return tuple(files)
    return tuple(files[number * len(files) // most] for number in range(most))
