"""`verify --coverage` writes a data file that coverage.py's own commands read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from coverage import CoverageData

from evaluator.demo.sample import git
from tests.verification.conftest import Answer

from .conftest import Judge
from .test_regressions import FIX, OWN_TEST

NEW = "tests.test_new.NewTest.test_half_is_rounded_up"


def test_the_lines_of_each_reproducing_test(
    judge: Judge, repository: Path, environments: Path, tmp_path: Path
) -> None:
    judge(FIX, files=OWN_TEST, budget=0)
    git(repository, "checkout", "--quiet", "change")
    data = tmp_path / "data.coverage"
    arguments = ("--base", "main", "--coverage", str(data), "--quick", "--json")
    shared = ("--sandbox", "process", "--offline", "--cache", str(environments))
    fixgate = [str(Path(sys.executable).with_name("fixgate")), "verify", "--repo", str(repository)]
    done = subprocess.run([*fixgate, *arguments, *shared], capture_output=True, text=True)
    assert Answer(done).told["decision"] == "accept"
    assert contexts(data, repository / "shop/prices.py")["    return int(price + 0.5)"] == {NEW}
    coverage = [sys.executable, "-m", "coverage", "lcov", f"--data-file={data}", "-o", "-"]
    report = subprocess.run(coverage, capture_output=True, text=True, cwd=repository, check=True)
    assert "SF:shop/prices.py" in report.stdout
    assert "DA:14,1" in report.stdout


def contexts(data: Path, source: Path) -> dict[str, set[str]]:
    """The contexts in which each line of a file ran."""
    read = CoverageData(str(data))
    read.read()
    lines = source.read_text().splitlines()
    found = read.contexts_by_lineno(str(source.resolve()))
    read.close()
    return {lines[number - 1]: set(tests) for number, tests in found.items()}
