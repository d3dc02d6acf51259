"""Only the process that runs the tests can report what came of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.languages.java.runner import PROBE
from evaluator.probe_results import ProbeResults, read_results

KEY = bytes(range(32))
REPORT = """
import json, os, subprocess, sys
def send(**event):
    os.write(0, json.dumps(event).encode() + b"\\n")
"""
SAID = 'send(event="start", test="a", file="f"); send(event="end", exit_code=0)\n'


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "key").write_bytes(KEY)
    return tmp_path


def supervised(directory: Path, script: str) -> tuple[ProbeResults, int]:
    python = [sys.executable, "-I", "-S", "-B"]
    command = [*python, str(PROBE / "supervise.py"), str(directory), *python, "-c", REPORT + script]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False, timeout=60)
    return read_results(directory / "results.jsonl", KEY), done.returncode


def test_what_the_tests_process_says_is_recorded(directory: Path) -> None:
    results, code = supervised(directory, SAID)
    assert (results.started, results.exit_code, code) == ({"a": "f"}, 0, 0)
    assert not (directory / "key").exists()


def test_what_its_children_say_is_not(directory: Path) -> None:
    forged = json.dumps({"event": "outcome", "test": "b", "file": "f", "status": "passed"})
    child = f"import os; os.write(0, {forged.encode()!r} + b'\\n')"
    script = f"subprocess.run([sys.executable, '-c', {child!r}])\n{SAID}"
    results, _ = supervised(directory, script)
    assert (results.outcomes, results.started, results.abort) == ({}, {"a": "f"}, None)


def test_a_line_begun_by_the_tests_is_not_ended_by_a_child(directory: Path) -> None:
    child = "import os; os.write(0, b'forged')"
    script = (
        "os.write(0, b'{\"event\": ')\n"
        f"subprocess.run([sys.executable, '-c', {child!r}])\n"
        'os.write(0, b\'"end", "exit_code": 3}\\n\')\n'
    )
    assert supervised(directory, script)[0].exit_code == 3


def test_standard_input_is_at_its_end(directory: Path) -> None:
    script = "assert sys.stdin.read() == ''\n" + SAID
    assert supervised(directory, script)[1] == 0


@pytest.mark.parametrize(("script", "code"), [("os._exit(5)", 5), ("os.kill(os.getpid(), 9)", 137)])
def test_its_exit_code_is_that_of_the_tests(directory: Path, script: str, code: int) -> None:
    results, ended = supervised(directory, SAID + script)
    assert (ended, results.started) == (code, {"a": "f"})


def test_a_great_many_events_arrive(directory: Path) -> None:
    script = 'for n in range(20000): send(event="start", test=str(n), file="f" * 100)\n'
    assert len(supervised(directory, script)[0].started) == 20000


def test_events_of_a_process_that_closed_the_socket_are_kept(directory: Path) -> None:
    script = SAID + "os.close(0)\nimport time; time.sleep(0.5); os._exit(2)"
    results, code = supervised(directory, script)
    assert (results.started, code) == ({"a": "f"}, 2)
