"""How much a tree of processes uses, by Linux's /proc (man 5 proc), and how much it wrote."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.sandbox.protocol import MEBIBYTE, ResourceLimits

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
PROC = Path("/proc")
_LONGEST_STAT = 4096
"""Bytes: a name of at most 64 and 50 numbers of at most 20."""


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


def processes() -> Iterator[Process]:
    """Every process of the machine that can be seen."""
    return map(_parse_stat, _stat_lines())


def _stat_lines() -> Iterator[bytes]:
    """`/proc/PID/stat` of every process that can be seen."""
    # Read several times in each run, and a busy machine has thousands: without an object for each.
    with os.scandir(PROC) as entries:
        directories = [entry.path for entry in entries if entry.name.isdecimal()]
    for directory in directories:
        # A process may end between the listing and the reading, and where /proc is mounted with
        # hidepid those of other users cannot be read: neither is of ours.
        with contextlib.suppress(OSError):
            yield _content(f"{directory}/stat")


def _content(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, _LONGEST_STAT)
    finally:
        os.close(descriptor)


def _parent(stat: bytes) -> int:
    return int(stat.rpartition(b")")[2].split(maxsplit=2)[1])


def _parse_stat(stat: bytes) -> Process:
    # The name in parentheses may hold anything, parentheses and spaces too: split after the last.
    head, _, tail = stat.rpartition(b")")
    fields = tail.split()
    ticks = sum(int(field) for field in fields[11:15])
    return Process(
        pid=int(head.split(b" ", 1)[0]),
        parent=int(fields[1]),
        session=int(fields[3]),
        is_zombie=fields[0] == b"Z",
        cpu_seconds=ticks / TICKS_PER_SECOND,
        resident_bytes=int(fields[21]) * PAGE_BYTES,
        tasks=int(fields[17]),
    )


def descendants(root: int) -> list[Process]:
    """The children of process `root`, their children and so on, each after its parent."""
    children: dict[int, list[bytes]] = {}
    for stat in _stat_lines():
        children.setdefault(_parent(stat), []).append(stat)
    found: list[Process] = []
    pending = [root]
    while pending:
        below = [_parse_stat(stat) for stat in children.pop(pending.pop(), ())]
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
    except (FileNotFoundError, ProcessLookupError):
        # It ended meanwhile, and what it shared is counted for those that are left.
        return 0
    except OSError:
        # Not ours to read (a set-uid program): the resident size is an upper bound.
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


# An empty file has no blocks and still takes an inode; without this, files without end are free.
ENTRY_BYTES = 1024
# A walk is due at the latest after so many seconds, and never takes more than this share of time.
LONGEST_GAP_SECONDS = 5.0
SHARE_OF_TIME = 0.05


@dataclass(frozen=True)
class Size:
    """What a walk found; `complete` is False where a directory could not be read."""

    used_bytes: int
    complete: bool


def measure(root: Path) -> Size:
    """Disk that a file or a directory tree takes, in bytes; symbolic links are not followed."""
    used, complete = 0, True
    pending = [os.fspath(root)]
    while pending:
        path = pending.pop()
        try:
            used += _entry_bytes(os.lstat(path))
            with os.scandir(path) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    else:
                        used += _entry_bytes(entry.stat(follow_symlinks=False))
        except PermissionError:
            complete = False
        except OSError:
            # A file, not a directory, or something that the command just removed.
            continue
    return Size(used, complete)


def _entry_bytes(status: os.stat_result) -> int:
    return max(status.st_blocks * 512, ENTRY_BYTES)


class DiskWatch:
    """Says when writable directories hold more than they may.

    Walking a large tree again and again would cost more than many a test. What is free on the
    file systems is known at once, so the tree is walked only after enough of it went away.
    `held` gives the bytes of files that were deleted and are still open, which no walk finds.
    """

    def __init__(self, roots: Sequence[Path], limit_bytes: int, held: Callable[[], int]) -> None:
        self._roots = _outermost(roots)
        self._limit = limit_bytes
        self._held = held
        self._used = 0
        self._free_at_start = self._free_at_walk = self._free()
        self._earliest = time.monotonic()
        self._due = self._earliest + LONGEST_GAP_SECONDS

    def exceeded(self) -> bool:
        """Whether the limit is passed, as far as it is worth looking now."""
        now = time.monotonic()
        if now >= self._due or (now >= self._earliest and self._room_may_be_gone()):
            self._walk(self._held)
        return self._used > self._limit

    def exceeded_at_end(self) -> bool:
        """Whether the limit is passed now that no process is left, nor an open file of any.

        Always walks: neighbours that free room meanwhile would hide what was written last.
        """
        self._walk(lambda: 0)
        return self._used > self._limit

    def _room_may_be_gone(self) -> bool:
        headroom = max(self._limit - self._used, MEBIBYTE)
        return self._free_at_walk - self._free() > headroom / 2

    def _walk(self, held: Callable[[], int]) -> None:
        cost = -time.thread_time()
        # Before the walk: what is written during it may be missed, and must count as new.
        self._free_at_walk = self._free()
        sizes = [measure(root) for root in self._roots]
        self._used = sum(size.used_bytes for size in sizes) + held()
        if not all(size.complete for size in sizes):
            # A directory closed to us must not be a place to hide in: believe the file system.
            self._used = max(self._used, self._free_at_start - self._free())
        cost += time.thread_time()
        ended = time.monotonic()
        self._earliest = ended + cost / SHARE_OF_TIME
        self._due = max(self._earliest, ended + LONGEST_GAP_SECONDS)

    def _free(self) -> int:
        free: dict[int, int] = {}
        for root in self._roots:
            try:
                device, status = root.stat().st_dev, os.statvfs(root)
            except OSError:
                continue
            free[device] = status.f_bavail * status.f_frsize
        return sum(free.values())


def _outermost(roots: Sequence[Path]) -> list[Path]:
    """The directories that lie in no other one of them, so that nothing is counted twice."""
    resolved = {root.resolve() for root in roots}
    return [root for root in resolved if not resolved.intersection(root.parents)]
