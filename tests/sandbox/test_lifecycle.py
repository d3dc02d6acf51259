"""That nothing is left behind, however a run ends, and that plain users are served too."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import uuid
from pathlib import Path

import docker
import pytest

from evaluator.sandbox.cgroup import ControlGroups
from evaluator.sandbox.docker import LOCAL_IMAGE, DockerSandbox
from evaluator.sandbox.engine import DEADLINE_LABEL, LABEL, OWNER_LABEL, Owner, engine
from evaluator.sandbox.process import ProcessSandbox
from evaluator.sandbox.protocol import Command, ResourceLimits
from evaluator.sandbox.usage import descendants, processes, tree_usage, unlinked_bytes
from tests.sandbox.conftest import Lifeline

# Runs a command that holds the lifeline, in the sandbox and the directory named by its arguments.
HOLDING = """
import signal, sys
# A shell that starts the tests in the background has them ignore interruptions.
signal.signal(signal.SIGINT, signal.default_int_handler)
from pathlib import Path, PurePosixPath
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import Command, Mount
sandbox = choose_sandbox(sys.argv[1])
mount = Mount(Path(sys.argv[2]), PurePosixPath("/srv/tree"), writable=True)
script = "exec 9>alive; echo held >&9; while :; do sleep 1; done"
sandbox.run(Command(("sh", "-c", script), sandbox.location(mount), (mount,)))
"""


def start_holding(name: str, tree: Path, lifeline: Lifeline) -> subprocess.Popen[bytes]:
    arguments = [sys.executable, "-c", HOLDING, name, str(tree)]
    fixgate = subprocess.Popen(arguments, stderr=subprocess.DEVNULL)
    lifeline.wait_until_held()
    return fixgate


def containers_of(pid: int) -> list[str]:
    with engine() as client:
        found = client.api.containers(all=True, filters={"label": f"{LABEL}=1"})
    owners = (Owner.parse(container["Labels"][OWNER_LABEL]) for container in found)
    return [owner.pid for owner in owners if owner and owner.pid == str(pid)]


def test_an_interruption_ends_the_command(bench, lifeline):
    fixgate = start_holding(bench.sandbox.name, bench.tree, lifeline)
    fixgate.send_signal(signal.SIGINT)
    fixgate.wait(20)
    assert lifeline.is_released()
    if bench.sandbox.name == "docker":
        assert not containers_of(fixgate.pid)


@pytest.mark.bubblewrap
def test_a_killed_fixgate_takes_its_bubblewrap_with_it(bench_in, lifeline):
    bench = bench_in("bubblewrap")
    fixgate = start_holding("bubblewrap", bench.tree, lifeline)
    fixgate.kill()
    fixgate.wait(20)
    assert lifeline.is_released(20)


# Runs a command in bubblewrap, and is killed before that gets leave to start it: by the program of
# its first argument, or while it sets limits. The second one is found in what is left.
KILLED_EARLY = """
import os, signal, sys
from evaluator.sandbox import bubblewrap
from evaluator.sandbox.protocol import Command
if sys.argv[1] == "bwrap":
    bubblewrap.confine = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
sandbox = bubblewrap.BubblewrapSandbox(sys.argv[1])
sandbox.run(Command(("sh", "-c", f"sleep 300; : {sys.argv[2]}"), "/", ()))
"""


@pytest.mark.bubblewrap
@pytest.mark.parametrize("killed", ["before bubblewrap starts", "before it gets leave"])
def test_nothing_runs_without_the_fixgate_that_started_it(tmp_path, killed):
    deadly = tmp_path / "deadly"
    deadly.write_text('#!/bin/sh\n[ "$1" = --help ] || kill -9 $PPID\nexec bwrap "$@"\n')
    deadly.chmod(0o755)
    mark = uuid.uuid4().hex
    program = str(deadly) if killed == "before bubblewrap starts" else "bwrap"
    fixgate = subprocess.Popen([sys.executable, "-c", KILLED_EARLY, program, mark])
    assert fixgate.wait(20) == -signal.SIGKILL
    deadline = time.monotonic() + 20
    while (left := living_with(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


def living_with(mark: str) -> list[str]:
    """The command lines that hold a mark; empty ones are those of processes that ended."""
    found = []
    for process in processes():
        with contextlib.suppress(OSError):
            found.append(Path(f"/proc/{process.pid}/cmdline").read_text(errors="replace"))
    return [line for line in found if mark in line]


@pytest.mark.docker
def test_containers_of_a_killed_fixgate_are_reaped(bench_in, lifeline):
    bench = bench_in("docker")
    fixgate = start_holding("docker", bench.tree, lifeline)
    fixgate.kill()
    fixgate.wait(20)
    assert containers_of(fixgate.pid)
    DockerSandbox()
    assert not containers_of(fixgate.pid)
    assert lifeline.is_released()


@pytest.mark.docker
def test_containers_of_a_living_fixgate_are_left_alone(bench_in, lifeline):
    bench = bench_in("docker")
    fixgate = start_holding("docker", bench.tree, lifeline)
    DockerSandbox()
    assert containers_of(fixgate.pid)
    fixgate.send_signal(signal.SIGINT)
    fixgate.wait(20)


@pytest.mark.docker
@pytest.mark.parametrize(
    ("labels", "lost"),
    [
        ({OWNER_LABEL: str(Owner.current()), DEADLINE_LABEL: "1"}, True),
        ({OWNER_LABEL: "unreadable", DEADLINE_LABEL: "9999999999"}, True),
        ({OWNER_LABEL: "this/pid:[1]/1/1", DEADLINE_LABEL: "9999999999"}, True),
        ({OWNER_LABEL: str(Owner.current()), DEADLINE_LABEL: "9999999999"}, False),
    ],
)
def test_containers_past_their_time_or_without_an_owner_are_reaped(labels, lost):
    name = f"fixgate-{uuid.uuid4().hex}"
    with engine() as client:
        client.api.create_container(LOCAL_IMAGE, ["true"], name=name, labels={LABEL: "1", **labels})
        try:
            DockerSandbox()
            assert bool(client.api.containers(all=True, filters={"name": name})) is not lost
        finally:
            try:
                client.api.remove_container(name)
            except docker.errors.NotFound:
                assert lost


def test_no_directory_stays(bench, tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    bench.run("sh", "-c", "mkdir -p $HOME/a $TMPDIR/b; chmod 000 $TMPDIR/b")
    bench.run("sleep", "60", wall_seconds=0.3)
    assert not list(scratch.iterdir())


def test_no_control_group_stays():
    groups = ControlGroups(ResourceLimits())
    directories = groups.directories
    if not directories:
        pytest.skip("no control groups can be made here")
    with subprocess.Popen(["sleep", "60"]) as child:
        groups.add(child.pid)
        assert all(str(child.pid) in (d / "cgroup.procs").read_text() for d in directories)
        child.kill()
    groups.remove()
    assert not any(directory.exists() for directory in directories)


# Prints how many descriptors are open after each cycle in the sandbox named by its argument.
# A process of its own: in this one, servers and clients of other tests open and close some.
COUNTING = """
import os, sys
from pathlib import Path, PurePosixPath
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import Command, Mount, ResourceLimits
sandbox = choose_sandbox(sys.argv[1])
mount = Mount(Path(sys.argv[2]), PurePosixPath("/srv/tree"), writable=True)
def run(*argv, **limits):
    place = sandbox.location(mount)
    return sandbox.run(Command(argv, place, (mount,), limits=ResourceLimits(**limits)))
for _ in range(6):
    assert run("sleep", "60", wall_seconds=0.2).ending == "timeout"
    assert run("true").exit_code == 0
    print(len(os.listdir("/proc/self/fd")))
"""


def test_no_descriptor_stays_open(bench):
    arguments = [sys.executable, "-c", COUNTING, bench.sandbox.name, str(bench.tree)]
    told = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    counts = [int(line) for line in told.split()]
    # The engine's client keeps a connection or two for later; a leak grows with every cycle.
    assert min(counts[2:]) <= max(counts[:2])
    assert len(counts) == 6


# Gives up root, then runs a script in the sandbox named by its argument and prints what came out.
AS_NOBODY = """
import json, os, sys, tempfile
from pathlib import Path, PurePosixPath
from evaluator.sandbox import seccomp
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import Command, Mount, ResourceLimits
seccomp.program()  # Imports tables, which lie where only root may look if the checkout does.
os.setgroups([]); os.setgid(65534); os.setuid(65534); os.umask(0o022)
script, limits = sys.argv[1], ResourceLimits(**json.loads(sys.argv[2]))
with tempfile.TemporaryDirectory(dir="/dev/shm", ignore_cleanup_errors=True) as tree:
    mount = Mount(Path(tree), PurePosixPath("/srv/tree"), writable=True)
    command = Command(("sh", "-c", script), "/srv/tree", (mount,), limits=limits)
    done = choose_sandbox("bubblewrap").run(command)
    print(done.ending, done.exit_code, sorted(os.listdir(tree))[:3], done.output)
"""


@pytest.mark.bubblewrap
@pytest.mark.skipif(os.geteuid() != 0, reason="a plain user runs all the other tests already")
@pytest.mark.parametrize(
    ("script", "limits", "expected"),
    [
        ("touch file; id -u; cat /proc/net/dev | grep -c lo:", {}, "exited 0 ['file'] 1000\n1"),
        ("sleep 60", {"wall_seconds": 0.5}, "timeout None"),
        (
            "for i in $(seq 200); do sleep 60 & done; wait",
            {"processes": 50},
            ("processes None", "exited 2"),
        ),
        (
            "mkdir hidden; head -c 30M /dev/zero > hidden/file; chmod 000 hidden",
            {"disk_bytes": 20_000_000},
            "disk None",
        ),
        (
            # Holds more than it may until it is ended, but less than is refused at once.
            "dd if=/dev/zero of=/dev/null bs=150M count=1000000",
            {"memory_bytes": 100_000_000, "wall_seconds": 60},
            "memory None",
        ),
    ],
)
def test_a_plain_user_can_use_bubblewrap(bench_in, script, limits, expected):
    bench_in("bubblewrap")
    arguments = [sys.executable, "-c", AS_NOBODY, script, json.dumps(limits)]
    told = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    assert told.startswith(expected)
    assert "exited 0" not in told or "exited 0" in expected


@contextlib.contextmanager
def started_below(code, *arguments):
    """Python below a process of its own, once it has said a line; that process.

    Servers that other tests share are children of this one, too.
    """
    starting = "import subprocess, sys; subprocess.run(sys.argv[1:])"
    command = [sys.executable, "-c", starting, sys.executable, "-c", code, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        yield parent


def test_no_process_lives_to_see_its_child_killed_at_the_limit(tmp_path, monkeypatch):
    # A pair whose child comes first if both are ended in the order of a set of their numbers, on
    # a machine so busy that the parent has time to say something between the two signals.
    code = textwrap.dedent("""
        import os, signal, time
        while (child := os.fork() or time.sleep(60)) % 8 > os.getpid() % 8:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        print("started", flush=True)
        os.waitpid(child, 0)
        print("outlived", flush=True)
    """)
    kill = os.kill

    def slow_kill(pid: int, number: int) -> None:
        kill(pid, number)
        time.sleep(0.05)

    monkeypatch.setattr(os, "kill", slow_kill)
    limits = ResourceLimits(wall_seconds=1.0)
    command = Command((sys.executable, "-c", code), str(tmp_path), (), limits=limits)
    assert ProcessSandbox().run(command).output == "started\n"


def test_standing_of_the_measures_is_told_by_real_processes(tmp_path):
    code = textwrap.dedent("""
        import os, sys, time
        kept = bytearray(b"x") * 50_000_000
        file = open(sys.argv[1], "wb", buffering=0)
        os.unlink(sys.argv[1])
        file.write(bytes(3_000_000))
        print("ready", flush=True)
        time.sleep(60)
    """)
    with started_below(code, str(tmp_path / "file")) as parent:
        usage = tree_usage(parent.pid, ResourceLimits())
        exact = tree_usage(parent.pid, ResourceLimits(memory_bytes=1))
        (child,) = descendants(parent.pid)
        assert {parent.pid, child.pid} <= {one.pid for one in descendants(os.getpid())}
        held = unlinked_bytes([child.pid])
        os.kill(child.pid, signal.SIGKILL)
    assert 50_000_000 < exact.memory_bytes <= usage.memory_bytes < 200_000_000
    assert usage.tasks == 1
    assert 3_000_000 <= held < 4_000_000


def test_what_ended_while_it_was_measured_holds_no_memory():
    code = textwrap.dedent("""
        import os, time
        kept = bytearray(b"x") * 50_000_000
        print("ready", flush=True)
        for _ in range(60):
            children = []
            for _ in range(4):
                if (child := os.fork()) == 0:
                    time.sleep(0.01)
                    os._exit(0)
                children.append(child)
            for child in children:
                os.waitpid(child, 0)
    """)
    with started_below(code) as parent:
        most = 0
        while parent.poll() is None:
            most = max(most, tree_usage(parent.pid, ResourceLimits(memory_bytes=1)).memory_bytes)
    # Where each ends just before the next one is read: all of it, a half, a third, and so on.
    assert 0 < most < 130_000_000
