"""Golden tests of real instances, from a mirror and a package index to the report."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mirrors import mirror_templates

from .conftest import report


@pytest.mark.bubblewrap
@pytest.mark.dataset
@pytest.mark.mirrors("pallets/flask", "sympy/sympy")
@pytest.mark.network
@pytest.mark.timeout(900)
def test_golden_tests_succeed(data: Path, tmp_path: Path) -> None:
    covered = {"pallets__flask-5063": 22 / 27, "sympy__sympy-12171": 1 / 2}
    command = [
        *(str(Path(sys.executable).parent / "fixgate"), "replay", str(data / "lite_dev.jsonl")),
        *("--predictions", "gold", "--instances", ",".join(covered), "--out", str(tmp_path)),
        *("--sandbox", "bubblewrap", "--cache", str(tmp_path / "cache")),
        *(option for place in mirror_templates() for option in ("--repos", place)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    gold = report(tmp_path)["predictions"]["gold"]
    assert gold["summary"]["success_rate"] == 1
    for name, share in covered.items():
        instance = gold["instances"][name]
        assert instance["change_coverage"] == pytest.approx(share)
        assert "1 of 1 FAIL_TO_PASS" in str(instance["reasons"]) or "2 of 2" in str(
            instance["reasons"]
        )
