"""Control groups of Linux: limits that the kernel keeps for a whole tree of processes.

Only who may write to the control group file system (root, outside of a container) gets any; for
everyone else the tree is watched, and RLIMIT_NPROC bounds the number of processes, from which the
kernel exempts root. Both versions are served, by the files that are there:
https://docs.kernel.org/admin-guide/cgroup-v2.html and
https://docs.kernel.org/admin-guide/cgroup-v1/index.html
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path

from evaluator.sandbox.protocol import ResourceLimits

ROOT = Path("/sys/fs/cgroup")
MEMBERSHIP = Path("/proc/self/cgroup")
EVENTS_OF_MEMORY = ("memory.events", "memory.oom_control")
PREFIX = "fixgate-"
REMOVE_SECONDS = 2.0
# A group is empty only for a moment before its command is put into it.
FORGOTTEN_SECONDS = 60.0


def _settings(limits: ResourceLimits) -> Mapping[str, int]:
    return {
        "pids.max": limits.processes,
        "memory.max": limits.memory_bytes,
        "memory.swap.max": 0,
        "memory.limit_in_bytes": limits.memory_bytes,
        "memory.memsw.limit_in_bytes": limits.memory_bytes,
    }


def _own_groups() -> Iterator[Path]:
    """The directories of this process's own groups, where limits can be set for memory and tasks.

    Version 2 has one hierarchy, without a name here; version 1 one for each controller.
    """
    for line in MEMBERSHIP.read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers in {"", "pids", "memory"}:
            yield ROOT / controllers / path.lstrip("/")


def reap() -> None:
    """Remove the groups that a killed fixgate left behind: the kernel keeps those in use."""
    oldest = time.time() - FORGOTTEN_SECONDS
    for own in _own_groups():
        for directory in (*own.glob(f"{PREFIX}*"), *own.parent.glob(f"{PREFIX}*")):
            with contextlib.suppress(OSError):
                if directory.stat().st_mtime < oldest:
                    directory.rmdir()


class ControlGroups:
    """The control groups of one command, as many as this process may make: perhaps none."""

    def __init__(self, limits: ResourceLimits) -> None:
        self.directories: list[Path] = []
        name = f"{PREFIX}{uuid.uuid4().hex}"
        for own in _own_groups():
            # Below our own group, so that what bounds us bounds the command too. Version 2 allows
            # no limits below a group with processes in it: there, beside it.
            with contextlib.suppress(OSError):
                _ = self._make(own / name, limits) or self._make(own.parent / name, limits)

    def _make(self, directory: Path, limits: ResourceLimits) -> bool:
        """Whether a limit could be set in a new group; one without is not kept."""
        directory.mkdir()
        self.directories.append(directory)
        settings = [
            (directory / file, value)
            for file, value in _settings(limits).items()
            if (directory / file).exists()
        ]
        for file, value in settings:
            file.write_text(str(value))
        if not settings:
            self.directories.remove(directory)
            directory.rmdir()
        return bool(settings)

    def add(self, pid: int) -> None:
        """Put a process, and all that it will start, under the limits."""
        for directory in self.directories:
            (directory / "cgroup.procs").write_text(str(pid))

    def out_of_memory(self) -> bool:
        """Whether the kernel had to kill a process of the group for its memory."""
        return any(
            line.startswith("oom_kill ") and line != "oom_kill 0"
            for directory in self.directories
            for file in EVENTS_OF_MEMORY
            if (directory / file).exists()
            for line in (directory / file).read_text().splitlines()
        )

    def remove(self) -> None:
        """Take the groups away, once no process is in them any more."""
        deadline = time.monotonic() + REMOVE_SECONDS
        for directory in self.directories:
            while directory.exists() and time.monotonic() < deadline:
                # The kernel lets go of a process shortly after its end.
                with contextlib.suppress(OSError):
                    directory.rmdir()
                    break
                time.sleep(0.001)
