"""Scratch directories, and what becomes of them when their process is killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from evaluator.storage.scratch import scratch

HOLDER = """
import sys, time
from pathlib import Path
from evaluator.storage.scratch import scratch

with scratch(Path(sys.argv[1])) as place:
    (place / "half.txt").write_text("half done")
    print(place, flush=True)
    time.sleep(600)
"""


def test_a_directory_goes_with_the_work(tmp_path: Path) -> None:
    with scratch(tmp_path) as place:
        (place / "deep").mkdir()
        assert place.is_dir()
    assert not place.exists()


def test_what_a_killed_process_left_goes_and_what_is_in_use_stays(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        theirs = Path(holder.stdout.readline().strip())
        with scratch(tmp_path) as ours:
            assert (theirs / "half.txt").is_file()
            holder.kill()
            holder.wait()
            with scratch(tmp_path):
                assert not theirs.exists()
                assert ours.is_dir()
