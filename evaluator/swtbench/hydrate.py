"""Lays down all that a replay needs, so that it later runs without a network.

    DIRECTORY/NAME.jsonl                the instances
    DIRECTORY/mirrors/OWNER+NAME/repo   a mirror of each repository
    DIRECTORY/manifest.json             what is there, and what could not be had

Environments are kept wherever the caller's builder keeps them. Every part is put in place whole,
so that after a kill at any moment the same call goes on with what is not there yet.
"""

from __future__ import annotations

import enum
import importlib.metadata
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.checkout import Repositories
from evaluator.checkout.mirroring import lay_mirror
from evaluator.errors import EnvironmentBuildError, FixgateError
from evaluator.model import Instance
from evaluator.storage.files import write_whole
from evaluator.storage.locks import DirectoryLock
from evaluator.swtbench.dataset import save_instances

VERSION = 1


class Prerequisite(enum.StrEnum):
    """What a replay needs."""

    DATASET = "dataset"
    MIRROR = "mirror"
    ENVIRONMENT = "environment"


class Manifest:
    """A JSON file, rewritten whole after each step.

    `{"version": 1, "fixgate": "0.1.0", "dataset": {FILE: instances}, "mirror": {REPO: [COMMIT]},
    "environment": {INSTANCE: [KEY]}, "failures": [{"part", "name", "reason"}]}`. What earlier
    calls laid down stays; failures are those of the latest.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._content: dict[str, Any] = {
            "version": VERSION,
            "fixgate": importlib.metadata.version("fixgate"),
            **{part.value: {} for part in Prerequisite},
            "failures": [],
        }
        for part, entries in _earlier(path).items():
            self._content[part].update(entries)

    def add(self, part: Prerequisite, name: str, content: object) -> None:
        """Say that something is there."""
        self._content[part][name] = content
        self._write()

    def fail(self, part: Prerequisite, name: str, reason: str) -> None:
        """Say that something could not be had."""
        self._content["failures"].append({"part": part, "name": name, "reason": reason})
        self._write()

    def _write(self) -> None:
        text = json.dumps(self._content, indent=1, ensure_ascii=False) + "\n"
        write_whole(self._path, text.encode("utf-8", "backslashreplace"))


def _earlier(path: Path) -> dict[str, dict[str, object]]:
    """What an earlier call laid down; nothing where its manifest cannot be used."""
    try:
        content = json.loads(path.read_bytes())
        if content["version"] != VERSION:
            return {}
        return {part.value: dict(content[part.value]) for part in Prerequisite}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


BuildEnvironments = Callable[[Instance], Iterable[str]]
"""Builds, or finds in its cache, the environments of an instance; returns their keys."""


class StepStatus(enum.StrEnum):
    """How a step ended. Kept means that it stood there already."""

    DONE = "done"
    KEPT = "kept"
    FAILED = "failed"


@dataclass(frozen=True)
class HydrateStep:
    """One step; `name` is a file (dataset), a repository (mirror) or an instance (environment).

    `content` is what the manifest says of it: number of instances, commits, environment keys.
    """

    part: Prerequisite
    name: str
    outcome: StepStatus
    content: object = None
    reason: str = ""


def mirror_template(directory: Path) -> str:
    """The template, for `Repositories`, of the mirrors that `hydrate` lays down."""
    return str(directory / "mirrors" / "{owner}+{name}" / "repo")


def hydrate(
    instances: Sequence[Instance],
    templates: Sequence[str],
    directory: Path,
    build: BuildEnvironments,
    progress: Callable[[HydrateStep], None],
    *,
    name: str = "instances",
    workers: int = 1,
) -> tuple[HydrateStep, ...]:
    """Lay down instances (`NAME.jsonl`), mirrors and environments; returns every step.

    `templates` say where repositories come from. `build` is called once all mirrors stand, from
    up to `workers` threads, for the instances whose repository is there. What fails harms nothing
    else: look for steps that FAILED.
    """
    directory.mkdir(parents=True, exist_ok=True)
    steps = []
    with DirectoryLock.waiting(directory):
        manifest = Manifest(directory / "manifest.json")
        for step in _steps(instances, templates, directory, build, name, workers):
            _note(step, manifest)
            progress(step)
            steps.append(step)
    return tuple(steps)


def _note(step: HydrateStep, manifest: Manifest) -> None:
    if step.outcome is StepStatus.FAILED:
        manifest.fail(step.part, step.name, step.reason)
    else:
        manifest.add(step.part, step.name, step.content)


def _steps(
    instances: Sequence[Instance],
    templates: Sequence[str],
    directory: Path,
    build: BuildEnvironments,
    name: str,
    workers: int,
) -> Iterator[HydrateStep]:
    save_instances(instances, directory / f"{name}.jsonl")
    yield HydrateStep(Prerequisite.DATASET, f"{name}.jsonl", StepStatus.DONE, len(instances))
    without_mirror = set()
    for step in _mirrors(instances, templates, directory):
        yield step
        if step.outcome is StepStatus.FAILED:
            without_mirror.add(step.name)
    ready = [instance for instance in instances if instance.repo not in without_mirror]
    with ThreadPoolExecutor(max_workers=workers) as pool:
        yield from pool.map(lambda instance: _environment(instance, build), ready)


def _mirrors(
    instances: Sequence[Instance], templates: Sequence[str], directory: Path
) -> Iterator[HydrateStep]:
    commits: dict[str, list[str]] = {}
    for instance in instances:
        commits.setdefault(instance.repo, []).append(instance.base_commit)
    for repo, wanted in commits.items():
        yield _mirror(repo, sorted(set(wanted)), templates, directory)


def _mirror(
    repo: str, commits: list[str], templates: Sequence[str], directory: Path
) -> HydrateStep:
    cache = directory / "cache"
    try:
        places = Repositories(templates, cache).places(repo)
        (target,) = Repositories([mirror_template(directory)], cache).places(repo)
        made = lay_mirror(places, commits, Path(target), cache)
    except (FixgateError, OSError) as error:
        return HydrateStep(Prerequisite.MIRROR, repo, StepStatus.FAILED, reason=str(error))
    return HydrateStep(
        Prerequisite.MIRROR, repo, StepStatus.DONE if made else StepStatus.KEPT, commits
    )


def _environment(instance: Instance, build: BuildEnvironments) -> HydrateStep:
    name = instance.instance_id
    try:
        return HydrateStep(Prerequisite.ENVIRONMENT, name, StepStatus.DONE, sorted(build(instance)))
    except EnvironmentBuildError as error:
        reason = "\n".join(filter(None, (str(error), error.log)))
        return HydrateStep(Prerequisite.ENVIRONMENT, name, StepStatus.FAILED, reason=reason)
    except (FixgateError, OSError) as error:
        return HydrateStep(Prerequisite.ENVIRONMENT, name, StepStatus.FAILED, reason=str(error))
