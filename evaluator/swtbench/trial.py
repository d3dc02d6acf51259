"""Instances as subjects, and runs of the tests of predictions on them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.diff import Application, Changes, apply
from evaluator.environment.types import Recipe
from evaluator.errors import PatchError
from evaluator.execution import RunPair, Subject
from evaluator.judge import Judgement, files_to_run, judge
from evaluator.languages import is_test_file, language
from evaluator.model import Instance, Prediction, Run
from evaluator.swtbench.predictions import GOLD
from evaluator.workspace import Workspace


def recipe_of(instance: Instance, tree: Path) -> Recipe:
    """The known recipe of an instance's repository and version, else one found from its files."""
    environments = language(instance.language).environments
    return environments.recipe(instance.repo, instance.version, tree)


def base_subject(workspace: Workspace, instance: Instance) -> Subject:
    """The base commit alone. Raises CheckoutError or EnvironmentBuildError."""
    return workspace.base(
        instance.repo,
        instance.base_commit,
        lambda tree: recipe_of(instance, tree),
        instance.created_at,
    )


def fixed_subject(workspace: Workspace, instance: Instance, fix: str) -> Subject:
    """The base commit, and it with a fix, a diff.

    Raises CheckoutError, PatchError (the fix does not apply) or EnvironmentBuildError.
    """
    return workspace.subject(
        instance.repo,
        instance.base_commit,
        fix,
        lambda tree: recipe_of(instance, tree),
        instance.created_at,
    )


@dataclass(frozen=True)
class Prepared:
    """An instance with its subject, its golden tests as applied, and their runs.

    `golden_runs` is None where no file of the golden tests can be run. `absent` names files whose
    content the repository lacks.
    """

    instance: Instance
    subject: Subject
    golden: Application
    golden_runs: RunPair | None
    absent: tuple[str, ...]


@dataclass(frozen=True)
class Trial:
    """A prediction as it was applied, what its runs showed, and how many seconds that took."""

    prediction: Prediction
    application: Application
    judgement: Judgement
    seconds: float

    @property
    def runs(self) -> Mapping[str, Run]:
        """The runs by name, as the evidence has them."""
        pairs = {
            f"tests-rerun-{number}" if number else "tests": pair
            for number, pair in enumerate(self.judgement.attempts)
        }
        if self.judgement.before_tests:
            pairs["before-tests"] = self.judgement.before_tests
        return {
            f"{name}-{side}": run
            for name, pair in pairs.items()
            for side, run in (("base", pair.base), ("fixed", pair.fixed))
        }


def prepare(workspace: Workspace, instance: Instance) -> Prepared:
    """Lay down both sides of an instance and run its golden tests on them.

    Raises CheckoutError, EnvironmentBuildError, SandboxError, or PatchError where the golden fix
    or the golden tests do not apply.
    """
    subject = fixed_subject(workspace, instance, instance.patch)
    golden = apply(instance.test_patch, subject.source)
    if not golden.well_formed:
        raise PatchError(f"{instance.instance_id}: the golden tests do not apply")
    files = files_to_run(golden.changes)
    return Prepared(
        instance,
        subject,
        golden,
        workspace.executor.both(subject, golden.changes, files) if files else None,
        tuple(workspace.trees.absent(subject.pristine)),
    )


def try_tests(
    workspace: Workspace, prepared: Prepared, prediction: Prediction, *, reruns: int
) -> Trial:
    """Apply the test files of a prediction and run them on both sides. Raises SandboxError."""
    started = time.monotonic()
    application = _applied(prepared, prediction)
    judgement = judge(
        workspace.executor,
        prepared.subject,
        application.changes if application.well_formed else Changes(),
        golden=prepared.golden_runs,
        reruns=reruns,
    )
    return Trial(prediction, application, judgement, time.monotonic() - started)


def _applied(prepared: Prepared, prediction: Prediction) -> Application:
    """The golden tests are believed whole.

    A few of them also change what the dataset's own split of tests and code, by path, counts as
    tests and ours as code (sympy/testing, for example).
    """
    source = prepared.subject.source
    if prediction.name != GOLD:
        return apply(prediction.patch, source, keep=is_test_file)
    if prediction.patch == prepared.instance.test_patch:
        return prepared.golden
    return apply(prediction.patch, source)
