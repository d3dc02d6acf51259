"""Processes that end together, and are started again where they end alone."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import logging
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from evaluator.errors import InputError

_PR_SET_PDEATHSIG: Final = 1


def die_with(parent: int, how: signal.Signals) -> None:
    """Have the kernel send this process a signal once its parent is gone (prctl(2), Linux).

    Ends the process where the parent is gone already.
    """
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, how)
    if os.getppid() != parent:
        os._exit(1)


MOST_STARTS: Final = 5
WITHIN_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.5
_PATIENCE: Final = (2.0, 8.0)
"""Seconds after which a child is asked to end again, and then killed."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Child:
    """A process that is to run: its name for messages, its arguments and its environment.

    What `ends_last` is ended once all others have. `orphaned` is what it gets once the process that
    started it is gone.
    """

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False, hash=False)
    ends_last: bool = False
    orphaned: signal.Signals = signal.SIGTERM


class Supervisor:
    """Runs children from `with` to its end; one that dies is started again, but not forever."""

    def __init__(self) -> None:
        self._running: dict[Child, subprocess.Popen[bytes]] = {}
        self._starts: dict[Child, list[float]] = {}

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def pids(self) -> Mapping[str, int]:
        """The process of each child, by the child's name."""
        return {child.name: process.pid for child, process in self._running.items()}

    def start(self, child: Child) -> None:
        """Start a child. Raises InputError where it was started too often."""
        now = time.monotonic()
        starts = [then for then in self._starts.get(child, []) if now - then < WITHIN_SECONDS]
        if len(starts) >= MOST_STARTS:
            raise InputError(
                f"{child.name} ended {MOST_STARTS} times within {WITHIN_SECONDS:.0f} seconds; "
                "what it said stands above"
            )
        self._starts[child] = [*starts, now]
        self._running[child] = subprocess.Popen(
            child.arguments,
            env=dict(child.environment),
            # Of a session of its own: Ctrl+C reaches the parent alone, which ends the children.
            start_new_session=True,
            preexec_fn=functools.partial(die_with, os.getpid(), child.orphaned),
        )

    def look(self) -> None:
        """Start again what has ended. Raises InputError."""
        for child, process in list(self._running.items()):
            code = process.poll()
            if code is not None:
                _log.warning("%s ended with %d and is started again", child.name, code)
                self.start(child)

    def watch(self) -> None:
        """Look again and again, until an exception ends it."""
        while True:
            self.look()
            time.sleep(LOOK_SECONDS)

    def end(self) -> None:
        """End all children; who does not listen is asked again, and then killed."""
        for last in (False, True):
            _end([process for child, process in self._running.items() if child.ends_last is last])
        self._running.clear()


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    for seconds in _PATIENCE:
        for process in processes:
            process.terminate()
        deadline = time.monotonic() + seconds
        for process in processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
    for process in processes:
        process.kill()
        process.wait()
