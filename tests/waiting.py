"""Waits for what other processes do, by what is seen of them and not by the clock."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence

import psutil


def wait_for(done: Callable[[], object], seconds: float = 120.0, every: float = 0.05) -> None:
    """Return once something holds; fail if it does not within so many seconds."""
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(every)


def kill_once(command: Sequence[str], ready: Callable[[], bool]) -> None:
    """Kill a command and its children with SIGKILL as soon as something is ready."""
    with subprocess.Popen(command, start_new_session=True) as process:
        while not ready():
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.005)
        os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL


def lives(process: psutil.Process) -> bool:
    """Whether a process runs; one that ends while it is looked at does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
