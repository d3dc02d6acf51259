"""Nothing but the tests' own process reports what came of them, and nobody changes it later."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.model import Run, Status
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ExitReason

from .conftest import Project, statuses

TEST = "test_a.Tests.test_it"
ATTACK = """
import json, os, socket, subprocess, sys, time, unittest

RESULTS, SUPERVISOR = "/fixgate/results", "/proc/%d" % os.getppid()
with open("/proc/self/cmdline", "rb") as command:
    ADDRESS = bytes.fromhex(command.read().split(b"\\0")[-2].decode())
PASSED = json.dumps({"event": "outcome", "test": "test_a.Tests.test_it", "file": "test_a.py",
                     "status": "passed"}).encode()

def report(event=PASSED):
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(event, ADDRESS)

def wait_for_the_start_to_be_recorded():
    while not os.path.getsize(RESULTS + "/results.jsonl"):
        time.sleep(0.01)

def attack():
    BODY

class Tests(unittest.TestCase):
    def test_it(self):
        wait_for_the_start_to_be_recorded()
        attack()
        self.fail("not fixed")
"""
REPORTED_BY_OTHERS = {
    "a fork": """
        if os.fork() == 0:
            report()
            report(b'{"event": "end", "exit_code": 0}')
            os._exit(0)
        os.wait()
    """,
    "a daemon that outlives the tests": """
        if os.fork() == 0:
            os.setsid()
            while True:
                report()
    """,
    "a program": """
        with open("/tmp/report.py", "w") as program:
            program.write("from socket import *\\n")
            program.write("socket(AF_UNIX, SOCK_DGRAM).sendto(%r, %r)" % (PASSED, ADDRESS))
        subprocess.check_call([sys.executable, "/tmp/report.py"])
    """,
    "a fork that claims to be its parent": """
        import struct
        if os.fork() == 0:
            claimed = struct.pack("3i", os.getppid(), os.getuid(), os.getgid())
            sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                sender.sendmsg([PASSED], [(socket.SOL_SOCKET, 2, claimed)], 0, ADDRESS)
            finally:
                os._exit(0)
        os.wait()
    """,
}
TAMPERED_WITH = {
    "a line is added": """
        with open(RESULTS + "/results.jsonl", "ab") as results:
            results.write(PASSED + b"\\n")
    """,
    "a line is copied": """
        with open(RESULTS + "/results.jsonl", "rb+") as results:
            results.write(results.read())
    """,
    "all is removed": 'open(RESULTS + "/results.jsonl", "w").close()',
    "the file is replaced": """
        os.unlink(RESULTS + "/results.jsonl")
        with open(RESULTS + "/results.jsonl", "wb") as results:
            results.write(b"0" * 64 + b" " + PASSED + b"\\n")
    """,
}
LOOKED_FOR = {
    "the key": 'print(open(RESULTS + "/key").read())',
    "memory": 'open(SUPERVISOR + "/mem", "rb")',
    "environment": 'open(SUPERVISOR + "/environ", "rb").read()',
    "descriptors": 'for fd in range(3, 9): open(SUPERVISOR + "/fd/%d" % fd, "wb")',
    "memory by tracing": """
        import ctypes
        if ctypes.CDLL(None, use_errno=True).ptrace(16, os.getppid(), 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "ptrace")
    """,
}


@pytest.fixture(
    params=[
        pytest.param("bubblewrap", marks=pytest.mark.bubblewrap),
        pytest.param("docker", marks=pytest.mark.docker),
    ]
)
def attacked(request: pytest.FixtureRequest, tmp_path: Path) -> Project:
    (tmp_path / "tree").mkdir()
    return Project(tmp_path / "tree", choose_sandbox(request.param))


def run_with(project: Project, attack: str) -> Run:
    lines = attack.strip("\n").splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    body = "\n".join(f"    {line[indent:]}" for line in lines)
    (project.tree / "test_a.py").write_text(ATTACK.replace("    BODY", body))
    return project.run("test_a.py", framework="unittest")


@pytest.mark.parametrize("attack", REPORTED_BY_OTHERS.values(), ids=REPORTED_BY_OTHERS.keys())
def test_reports_of_other_processes_are_not_taken(attacked: Project, attack: str) -> None:
    done = run_with(attacked, attack)
    assert statuses(done) == {TEST: "failed"}, done.output
    assert (done.ending, done.exit_code) == (ExitReason.EXITED, 1)


@pytest.mark.parametrize("attack", TAMPERED_WITH.values(), ids=TAMPERED_WITH.keys())
def test_results_that_were_tampered_with_say_nothing_else(attacked: Project, attack: str) -> None:
    done = run_with(attacked, attack)
    assert done.ending is ExitReason.KILLED
    assert [outcome.status for outcome in done.outcomes.values()] == [Status.ERROR]
    failure = done.outcomes["test_a.py"].failure
    assert failure is not None
    assert "not the supervisor's" in failure.message


def test_results_that_were_removed_are_those_of_a_run_that_was_killed(attacked: Project) -> None:
    done = run_with(attacked, 'os.unlink(RESULTS + "/results.jsonl")')
    assert (done.ending, done.outcomes) == (ExitReason.KILLED, {})


def test_a_supervisor_that_is_killed_ends_the_run(attacked: Project) -> None:
    done = run_with(attacked, "os.kill(os.getppid(), 9); time.sleep(60)")
    assert (done.ending, statuses(done)) == (ExitReason.KILLED, {TEST: "crashed"})


@pytest.mark.parametrize("attack", LOOKED_FOR.values(), ids=LOOKED_FOR.keys())
def test_the_supervisor_is_closed_to_its_child(attacked: Project, attack: str) -> None:
    done = run_with(attacked, attack)
    (outcome,) = done.outcomes.values()
    assert outcome.status is Status.ERROR
    assert outcome.failure is not None
    assert outcome.failure.exception_type in {"PermissionError", "FileNotFoundError"}
