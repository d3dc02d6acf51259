from __future__ import annotations

import functools
import json
import subprocess
from pathlib import Path

from evaluator.report.document import without_timings
from tests.waiting import kill_once

from .conftest import command, report

_MOMENTS = (
    ("cache-b/trees/*", 1),
    ("cache-b/runs/*/*.json.gz", 1),
    ("b/instances/*/*.json", 1),
    ("b/instances/*/*.json", 3),
)
"""When the replay is killed: as soon as there are so many such files."""


def test_a_replay_killed_at_any_moment_goes_on_to_the_same_report(
    sample: Path, tmp_path: Path
) -> None:
    arguments = ("--predictions", "gold", "--predictions", str(sample / "careful.jsonl"))
    undisturbed = command(sample, tmp_path / "cache-a", tmp_path / "a", *arguments)
    subprocess.run(undisturbed, check=True, capture_output=True)
    disturbed = command(sample, tmp_path / "cache-b", tmp_path / "b", *arguments)
    for pattern, count in _MOMENTS:
        kill_once(disturbed, functools.partial(_holds, tmp_path, pattern, count))
    subprocess.run(disturbed, check=True, capture_output=True)
    assert _told(tmp_path / "a") == _told(tmp_path / "b")


def _holds(folder: Path, pattern: str, count: int) -> bool:
    return len(list(folder.glob(pattern))) >= count


def _told(out: Path) -> str:
    return json.dumps(without_timings(report(out)), sort_keys=True)
