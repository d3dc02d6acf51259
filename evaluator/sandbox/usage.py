"""How much a tree of processes uses, read from Linux's /proc (man 5 proc)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evaluator.sandbox.protocol import ResourceLimits

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
PROC = Path("/proc")


@dataclass(frozen=True)
class ResourceUsage:
    """What a command and its children use.

    `tasks` counts threads too, as the kernel does; `out_of_memory` says that the kernel already
    had to kill one of them for its memory.
    """

    cpu_seconds: float
    memory_bytes: int
    tasks: int
    out_of_memory: bool = False


@dataclass(frozen=True)
class Process:
    """One process; `cpu_seconds` includes its children that ended and were waited for."""

    pid: int
    parent: int
    session: int
    is_zombie: bool
    cpu_seconds: float
    resident_bytes: int
    tasks: int


def processes() -> Iterable[Process]:
    """Every process of the machine that can be seen."""
    for directory in PROC.iterdir():
        if directory.name.isdecimal():
            # A process may end between the listing and the reading, and where /proc is mounted
            # with hidepid those of other users cannot be read: neither is of ours.
            try:
                yield _parse_stat((directory / "stat").read_text(errors="replace"))
            except OSError:
                continue


def _parse_stat(stat: str) -> Process:
    # The name in parentheses may hold anything, parentheses and spaces too: split after the last.
    head, _, tail = stat.rpartition(")")
    fields = tail.split()
    ticks = sum(int(field) for field in fields[11:15])
    return Process(
        pid=int(head.split(" ", 1)[0]),
        parent=int(fields[1]),
        session=int(fields[3]),
        is_zombie=fields[0] == "Z",
        cpu_seconds=ticks / TICKS_PER_SECOND,
        resident_bytes=int(fields[21]) * PAGE_BYTES,
        tasks=int(fields[17]),
    )


def descendants(root: int) -> list[Process]:
    """The children of process `root`, their children and so on, without `root` itself."""
    children: dict[int, list[Process]] = {}
    for process in processes():
        children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    pending = [root]
    while pending:
        below = children.pop(pending.pop(), [])
        found += below
        pending += [process.pid for process in below]
    return found


def tree_usage(root: int, limits: ResourceLimits) -> ResourceUsage:
    """What the descendants of `root` use together.

    Resident memory counts a page once for each process that shares it, so forked workers look
    larger than they are. The exact share (PSS) is slow to read and so only asked for where it
    decides something: where the sum is above the limit and the processes are not too many anyway.
    """
    tree = descendants(root)
    tasks = sum(process.tasks for process in tree)
    memory = sum(process.resident_bytes for process in tree)
    if memory > limits.memory_bytes and tasks < limits.processes:
        memory = sum(_proportional_bytes(process) for process in tree)
    return ResourceUsage(sum(process.cpu_seconds for process in tree), memory, tasks)


def _proportional_bytes(process: Process) -> int:
    try:
        rollup = (PROC / str(process.pid) / "smaps_rollup").read_text()
    except OSError:
        # Gone, or not ours to read (a set-uid program): the resident size is an upper bound.
        return process.resident_bytes
    lines = (line.split() for line in rollup.splitlines())
    return next((int(line[1]) * 1024 for line in lines if line[0] == "Pss:"), 0)


def unlinked_bytes(pids: Iterable[int]) -> int:
    """Disk held by files that were deleted and are still open in one of these processes."""
    held: dict[tuple[int, int], int] = {}
    for pid in pids:
        for descriptor in _open_files(pid):
            try:
                status = descriptor.stat()
            except OSError:
                continue
            if status.st_nlink == 0:
                held[status.st_dev, status.st_ino] = status.st_blocks * 512
    return sum(held.values())


def _open_files(pid: int) -> list[Path]:
    try:
        return list((PROC / str(pid) / "fd").iterdir())
    except OSError:
        return []
