from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

from evaluator.report.document import without_timings

from .conftest import command, report


def test_a_replay_killed_at_any_moment_goes_on_to_the_same_report(
    sample: Path, tmp_path: Path
) -> None:
    arguments = ("--predictions", "gold", "--predictions", str(sample / "careful.jsonl"))
    undisturbed = command(sample, tmp_path / "cache-a", tmp_path / "a", *arguments)
    subprocess.run(undisturbed, check=True, capture_output=True)
    disturbed = command(sample, tmp_path / "cache-b", tmp_path / "b", *arguments)
    for moment in (0.8, 1.6, 2.4, 3.2):
        killed = subprocess.Popen(
            disturbed, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(moment)
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
    subprocess.run(disturbed, check=True, capture_output=True)
    assert _told(tmp_path / "a") == _told(tmp_path / "b")


def _told(out: Path) -> str:
    return json.dumps(without_timings(report(out)), sort_keys=True)
