from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluator.demo.sample import lay_sample
from tests.command_line import fixgate

Fixgate = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    lay_sample(tmp_path / "sample")
    return tmp_path / "sample"


def command(sample: Path, cache: Path, out: Path, *arguments: str) -> list[str]:
    executable = Path(sys.executable).parent / "fixgate"
    return [
        *(str(executable), "replay", str(sample / "instances.jsonl"), "--sandbox", "process"),
        *("--repos", str(sample / "repository" / ".git"), "--cache", str(cache)),
        *("--out", str(out), "--offline", *arguments),
    ]


@pytest.fixture
def replay(sample: Path, cache: Path, tmp_path: Path) -> Fixgate:
    def run(*arguments: str, out: Path = tmp_path / "out") -> subprocess.CompletedProcess[str]:
        return fixgate(command(sample, cache, out, *arguments)[1:])

    return run


def report(out: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((out / "report.json").read_text())
    return document


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
