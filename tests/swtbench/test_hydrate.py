"""Laying down all that a replay needs."""

from __future__ import annotations

import importlib.metadata
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.checkout import Repositories
from evaluator.errors import EnvironmentBuildError, InterpreterMissingError
from evaluator.model import Instance
from evaluator.swtbench.dataset import load_instances
from evaluator.swtbench.hydrate import (
    HydrateStep,
    Prerequisite,
    StepStatus,
    hydrate,
    mirror_template,
)
from tests.mirrors import mirror_templates

from .conftest import CODE, TESTS

MakeRepository = Callable[..., list[Instance]]


@pytest.fixture
def make(tmp_path: Path) -> MakeRepository:
    """Makes a repository under `from/OWNER/NAME`, and an instance for each of its commits."""

    def make(repo: str, commits: int = 1) -> list[Instance]:
        place = tmp_path / "from" / repo
        place.mkdir(parents=True)
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        git = ["git", "-C", str(place), *who]
        subprocess.run([*git, "init", "--quiet"], check=True)
        instances = []
        for number in range(commits):
            (place / "file").write_text(str(number))
            subprocess.run([*git, "add", "file"], check=True)
            subprocess.run([*git, "commit", "--quiet", "-m", str(number)], check=True)
            told = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True)
            name = f"{repo.replace('/', '__')}-{number}"
            instances.append(Instance(name, repo, told.stdout.decode().strip(), CODE, TESTS))
        return instances

    return make


@pytest.fixture
def templates(tmp_path: Path) -> list[str]:
    return [str(tmp_path / "nowhere/{owner}/{name}"), str(tmp_path / "from/{owner}/{name}")]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "data/swt-bench"


def built(instance: Instance) -> list[str]:
    return [f"key of {instance.instance_id}", "common"]


def outcomes(steps: tuple[HydrateStep, ...]) -> list[tuple[str, str, str]]:
    return [(step.part, step.name, step.outcome) for step in steps]


def ignore(step: HydrateStep) -> None:
    pass


def test_lays_down_dataset_mirrors_and_environments(
    make: MakeRepository, templates: list[str], directory: Path, tmp_path: Path
) -> None:
    instances = make("a/one", 2) + make("b/two")
    told: list[HydrateStep] = []
    steps = hydrate(instances, templates, directory, built, told.append, name="lite", workers=2)
    assert tuple(told) == steps
    assert outcomes(steps) == [
        ("dataset", "lite.jsonl", "done"),
        ("mirror", "a/one", "done"),
        ("mirror", "b/two", "done"),
        ("environment", "a__one-0", "done"),
        ("environment", "a__one-1", "done"),
        ("environment", "b__two-0", "done"),
    ]
    shutil.rmtree(tmp_path / "from")
    assert load_instances(str(directory / "lite.jsonl")).instances == tuple(instances)
    repositories = Repositories([mirror_template(directory)], tmp_path / "cache")
    for instance in instances:
        mirror = repositories.find(instance.repo, instance.base_commit)
        expected = instance.instance_id.rpartition("-")[2].encode()
        assert mirror.read(instance.base_commit, "file") == expected


def test_the_manifest_says_what_is_there(
    make: MakeRepository, templates: list[str], directory: Path
) -> None:
    instances = make("a/one", 2)
    hydrate(instances, templates, directory, built, ignore, name="lite")
    assert json.loads((directory / "manifest.json").read_text()) == {
        "version": 1,
        "fixgate": importlib.metadata.version("fixgate"),
        "dataset": {"lite.jsonl": 2},
        "mirror": {"a/one": sorted(instance.base_commit for instance in instances)},
        "environment": {
            "a__one-0": ["common", "key of a__one-0"],
            "a__one-1": ["common", "key of a__one-1"],
        },
        "failures": [],
    }


def test_what_stands_is_kept(make: MakeRepository, templates: list[str], directory: Path) -> None:
    instances = make("a/one")
    hydrate(instances, templates, directory, built, ignore)
    mirror = directory / "mirrors/a+one/repo"
    before = mirror.stat().st_ino
    steps = hydrate(instances, [], directory, built, ignore)
    assert (Prerequisite.MIRROR, "a/one", StepStatus.KEPT) in outcomes(steps)
    assert mirror.stat().st_ino == before


def test_a_second_dataset_is_added(
    make: MakeRepository, templates: list[str], directory: Path
) -> None:
    hydrate(make("a/one"), templates, directory, built, ignore, name="lite")
    hydrate(make("b/two"), templates, directory, built, ignore, name="verified")
    manifest = json.loads((directory / "manifest.json").read_text())
    assert manifest["dataset"] == {"lite.jsonl": 1, "verified.jsonl": 1}
    assert set(manifest["mirror"]) == {"a/one", "b/two"}
    assert len(load_instances(str(directory / "lite.jsonl")).instances) == 1


def test_a_repository_that_fails_harms_no_other(
    make: MakeRepository, templates: list[str], directory: Path
) -> None:
    gone = Instance("gone__gone-1", "gone/gone", "a" * 40, CODE, TESTS)
    (fine,) = make("a/one")
    unknown = Instance("a__one-9", "b/two", "b" * 40, CODE, TESTS)
    make("b/two")
    steps = hydrate([gone, unknown, fine], templates, directory, built, ignore)
    failed = {step.name: step.reason for step in steps if step.outcome is StepStatus.FAILED}
    assert set(failed) == {"gone/gone", "b/two"}
    assert "from/gone/gone: no such directory" in failed["gone/gone"]
    assert f"from/b/two: commit {'b' * 40} is not in it" in failed["b/two"]
    assert (Prerequisite.ENVIRONMENT, "a__one-0", StepStatus.DONE) in outcomes(steps)
    failures = json.loads((directory / "manifest.json").read_text())["failures"]
    assert {(f["part"], f["name"], f["reason"]) for f in failures} == {
        ("mirror", name, reason) for name, reason in failed.items()
    }


def test_an_environment_that_fails_harms_no_other(
    make: MakeRepository, templates: list[str], directory: Path
) -> None:
    instances = make("a/one", 4)

    def build(instance: Instance) -> list[str]:
        number = instance.instance_id[-1]
        if number == "0":
            raise EnvironmentBuildError("it cannot be built", log="no matching distribution")
        if number == "1":
            raise InterpreterMissingError("no Python 3.6")
        if number == "2":
            raise OSError("disk full")
        return ["key"]

    steps = hydrate(instances, templates, directory, build, ignore)
    failed = {step.name: step.reason for step in steps if step.outcome is StepStatus.FAILED}
    assert failed == {
        "a__one-0": "it cannot be built\nno matching distribution",
        "a__one-1": "no Python 3.6",
        "a__one-2": "disk full",
    }
    assert steps[-1].outcome is StepStatus.DONE
    mended = hydrate(instances, templates, directory, built, ignore)
    assert all(step.outcome is not StepStatus.FAILED for step in mended)
    assert json.loads((directory / "manifest.json").read_text())["failures"] == []


@pytest.mark.parametrize("content", ["", "[]", '{"version": 7}', "{", '{"version": 1}'])
def test_a_manifest_that_cannot_be_used_is_made_anew(
    make: MakeRepository, templates: list[str], directory: Path, content: str
) -> None:
    directory.mkdir(parents=True)
    (directory / "manifest.json").write_text(content)
    hydrate(make("a/one"), templates, directory, built, ignore)
    assert json.loads((directory / "manifest.json").read_text())["dataset"] == {
        "instances.jsonl": 1
    }


SCRIPT = """
import os, signal, sys
from pathlib import Path
from evaluator.swtbench.dataset import load_instances
from evaluator.swtbench.hydrate import hydrate
source, template, directory, last = sys.argv[1:]
instances = load_instances(source).instances
def die(step):
    if step.name == last:
        os.kill(os.getpid(), signal.SIGKILL)
hydrate(instances, [template], Path(directory), lambda i: ["key"], die)
"""


@pytest.mark.parametrize("last", ["instances.jsonl", "a/one", "b/two", "a__one-0", "b__two-0"])
def test_a_killed_hydration_goes_on(
    make: MakeRepository, templates: list[str], directory: Path, tmp_path: Path, last: str
) -> None:
    instances = make("a/one", 2) + make("b/two")
    undisturbed = tmp_path / "undisturbed"
    hydrate(instances, templates, undisturbed, lambda _: ["key"], ignore)
    source = str(undisturbed / "instances.jsonl")
    command = [sys.executable, "-c", SCRIPT, source, templates[1], str(directory), last]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    steps = hydrate(instances, templates, directory, lambda _: ["key"], ignore)
    kept = [step.name for step in steps if step.outcome is StepStatus.KEPT]
    assert kept == {"instances.jsonl": [], "a/one": ["a/one"]}.get(last, ["a/one", "b/two"])
    for name in ("instances.jsonl", "manifest.json"):
        assert (directory / name).read_bytes() == (undisturbed / name).read_bytes()
    assert not list(directory.rglob(".*"))


def test_two_at_once(make: MakeRepository, templates: list[str], directory: Path) -> None:
    instances = make("a/one", 2)
    hydrate(instances, templates, directory.with_name("first"), built, ignore)
    source = str(directory.with_name("first") / "instances.jsonl")
    command = [sys.executable, "-c", SCRIPT, source, templates[1], str(directory), "nobody"]
    processes = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    assert [path.name for path in (directory / "mirrors/a+one").iterdir()] == ["repo"]


def test_a_url(make: MakeRepository, templates: list[str], directory: Path) -> None:
    instances = make("a/one")
    steps = hydrate(instances, [f"file://{templates[1]}"], directory, built, ignore)
    assert (Prerequisite.MIRROR, "a/one", StepStatus.DONE) in outcomes(steps)


@pytest.mark.dataset
@pytest.mark.mirrors("pallets/flask")
def test_a_public_repository(data: Path, directory: Path, tmp_path: Path) -> None:
    everything = load_instances(str(data / "lite_dev.jsonl")).instances
    flask = [instance for instance in everything if instance.repo == "pallets/flask"]
    hydrate(flask, mirror_templates(), directory, built, ignore)
    repositories = Repositories([mirror_template(directory)], tmp_path / "cache")
    for instance in flask:
        mirror = repositories.find(instance.repo, instance.base_commit)
        assert mirror.read(instance.base_commit, "tests/conftest.py")
