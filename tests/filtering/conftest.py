from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from evaluator.commands.filter import filter_fixes as filter_command
from evaluator.demo.sample import lay_sample, patch

FilterFixes = Callable[..., str]
"""Runs the command with more arguments; returns what it printed."""

SHORTEN, ROMAN, RANGES = (f"demo__wordtools-{bug}" for bug in ("shorten", "roman", "ranges"))
BROKEN = patch("fixes/shorten.patch").replace("len(text) < width", "nothing of the kind")
NO_CODE = patch("predictions/hasty.shorten.patch")


def fix(instance_id: str, name: str, text: str, resolved: bool | None) -> dict[str, Any]:
    return {"instance_id": instance_id, "run": name, "model_patch": text, "resolved": resolved}


FIXES = (
    fix(SHORTEN, "right", patch("fixes/shorten.patch"), True),
    fix(SHORTEN, "wrong", patch("fixes/shorten-wrong.patch"), False),
    fix(SHORTEN, "broken", BROKEN, False),
    fix(SHORTEN, "no code", NO_CODE, False),
    fix(ROMAN, "right", patch("fixes/roman.patch"), True),
    fix(ROMAN, "of something else", patch("fixes/ranges.patch"), False),
    fix(RANGES, "right", patch("fixes/ranges.patch"), True),
    fix(RANGES, "of unknown worth", patch("fixes/ranges.patch"), None),
)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def laid_sample(directory: Path) -> Path:
    lay_sample(directory)
    write_rows(directory / "fixes.jsonl", *FIXES)
    return directory


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return laid_sample(tmp_path / "sample")


def command(sample: Path, cache: Path, out: Path, *arguments: str) -> list[str]:
    executable = Path(sys.executable).parent / "fixgate"
    return [
        *(str(executable), "filter", str(sample / "instances.jsonl"), "--sandbox", "process"),
        *("--fixes", str(sample / "fixes.jsonl"), "--admission-runs", "2"),
        *("--repos", str(sample / "repository" / ".git"), "--cache", str(cache)),
        *("--out", str(out), "--offline", *arguments),
    ]


def in_process(line: Sequence[str]) -> str:
    """What the command prints, without the start of another interpreter."""
    _, _, *arguments = line
    return CliRunner().invoke(filter_command, arguments, catch_exceptions=False).output


@pytest.fixture
def filter_fixes(sample: Path, cache: Path, tmp_path: Path) -> FilterFixes:
    def run(*arguments: str) -> str:
        return in_process(command(sample, cache, tmp_path / "out", *arguments))

    return run


def document(out: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((out / "filter.json").read_text())
    return told


def by_name(told: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(each["instance_id"], each["name"]): each for each in told["fixes"]}


def write_rows(path: Path, *rows: Mapping[str, Any]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]
