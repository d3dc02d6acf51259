"""What `fixgate generate` is to work on: instances of a benchmark, or an issue of a repository."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evaluator import InputError, Instance, Workspace, commit_of
from evaluator.swtbench.predictions import GOLD, load_predictions
from generator.generation import Assignment
from generator.method import Method, MethodSettings
from generator.task import LOCAL, instance_task, local_task


def of_benchmark(
    workspace: Workspace,
    method: Method,
    instances: Sequence[Instance],
    settings: MethodSettings,
    given_patch: str | None,
) -> Iterator[Assignment]:
    """An assignment for each instance. The golden fix goes to a method only where it needs one.

    `given_patch` is `gold` or a file of fixes. Raises InputError where a fix is missing.
    """
    fixes = _fixes(given_patch, instances)
    for instance in instances:
        shown = dataclasses.replace(
            settings,
            given_patch=fixes.get(instance.instance_id, ""),
            given_patch_name=Path(given_patch).stem if given_patch else "",
            golden_patch=instance.patch if method.replay_only else "",
        )
        make = functools.partial(instance_task, workspace, instance)
        yield Assignment(instance.instance_id, _inputs(instance), make, shown)


def of_repository(
    workspace: Workspace, repository: Path, revision: str, issue: Path, settings: MethodSettings
) -> Assignment:
    """The assignment of an issue of a local repository. Raises CheckoutError, InputError."""
    commit = commit_of(repository, revision, workspace.cache)
    text = _text(issue)
    inputs = {"repository": repository.resolve().name, "commit": commit, "issue": text}
    make = functools.partial(local_task, workspace, repository, commit, text)
    return Assignment(LOCAL, inputs, make, settings)


def _inputs(instance: Instance) -> Mapping[str, object]:
    return {
        "repository": instance.repo,
        "commit": instance.base_commit,
        "issue": instance.problem_statement,
    }


def _fixes(given: str | None, instances: Sequence[Instance]) -> Mapping[str, str]:
    if given is None:
        return {}
    if given == GOLD:
        return {instance.instance_id: instance.patch for instance in instances}
    (found,) = load_predictions([given], instances).predictions.values()
    missing = [i.instance_id for i in instances if i.instance_id not in found]
    if missing:
        raise InputError(f"{given}: holds no fix for {', '.join(missing[:5])}")
    return {name: prediction.patch for name, prediction in found.items()}


def _text(path: Path) -> str:
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    if not text:
        raise InputError(f"{path}: is empty; it should hold the report, its title first")
    return text
