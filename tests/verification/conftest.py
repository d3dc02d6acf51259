from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluator.demo.sample import lay_sample
from evaluator.sandbox.process import ProcessSandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.workspace import Workspace, WorkspaceSettings
from tests.command_line import fixgate

Verify = Callable[..., "Answer"]


class Answer:
    """What `fixgate verify --json` said."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.exit_code = done.returncode
        self.error = done.stderr
        self.text = done.stdout

    @property
    def told(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.text)
        return told

    @property
    def rules(self) -> list[str]:
        return [reason["rule"] for reason in self.told["reasons"]]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    lay_sample(tmp_path / "sample")
    return tmp_path / "sample" / "repository"


@pytest.fixture
def verify(repository: Path, cache: Path) -> Verify:
    shared = ("--sandbox", "process", "--offline", "--reruns", "1", "--cache", str(cache), "--json")

    def run(*arguments: str) -> Answer:
        return Answer(fixgate(["verify", "--repo", str(repository), *shared, *arguments]))

    return run


def waiting(
    base: Path, tmp_path: Path, *, seconds: float = 600, side_by_side: bool = True
) -> Workspace:
    """Where changes are judged in this process, with no sandbox around the tests."""
    settings = WorkspaceSettings(
        repositories=(str(base / ".git"),),
        cache=tmp_path / "cache",
        limits=ResourceLimits(wall_seconds=seconds),
        offline=True,
        side_by_side=side_by_side,
    )
    return Workspace(settings, ProcessSandbox())
