"""What is recorded of executed code, under every interpreter of this machine."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evaluator.languages.python.frameworks import PROBE
from tests.interpreters import MINORS, python

CODE = """
def first():
    return 1


def second():
    return first() + sum(third(n) for n in range(2))


def third(number):
    return number
"""
DRIVER = """
import json, sys
sys.path.insert(0, sys.argv[1])
import fixgate_probe_trace as trace
recorder = trace.recorder(sys.argv[2], sys.argv[3])
sys.path.insert(0, sys.argv[2])
import code_under_test as code
recorder.begin()
steps = [recorder.taken()]
for function in (code.first, code.second, code.first):
    function()
    steps.append(recorder.taken())
missed = [recorder.missed()]
import subprocess
subprocess.call([sys.executable, "-c", ""])
missed.append(recorder.missed())
sys.settrace(None)
print(json.dumps([steps, missed]))
"""


def recorded(minor: int, record: str, place: Path) -> Any:
    executable = python(minor)
    (place / "code_under_test.py").write_text(CODE)
    command = [str(executable), "-c", DRIVER, str(PROBE), str(place), record]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    steps, missed = json.loads(done.stdout)
    return [set(step.get("code_under_test.py", ())) for step in steps], missed


@pytest.mark.parametrize("minor", MINORS)
def test_functions(minor: int, tmp_path: Path) -> None:
    (_, first, second, again), missed = recorded(minor, "functions", tmp_path)
    assert first == again == {2}
    assert {2, 6, 10} <= second <= {2, 6, 7, 10}
    assert missed == [False, True]


@pytest.mark.parametrize("minor", MINORS)
def test_lines(minor: int, tmp_path: Path) -> None:
    (loaded, first, second, again), _ = recorded(minor, "lines", tmp_path)
    assert {2, 6, 10} <= loaded
    assert first - {2} == again - {2} == {3}
    assert {3, 7, 11} <= second
