"""What a developer sees of a test that fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FAILING = r"""
def test_named():
    raise ValueError("no file \udcff")

def test_other():
    pass
"""


def test_a_message_that_is_no_unicode_does_not_end_the_run(tmp_path: Path) -> None:
    (tmp_path / "test_failing.py").write_text(FAILING)
    command = [sys.executable, "-m", "pytest", "--numprocesses", "2", "-p", "tests.conftest"]
    done = subprocess.run(
        [*command, "--rootdir", tmp_path, tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert r"ValueError: no file \udcff" in done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert done.returncode == 1
