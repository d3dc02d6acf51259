"""How much lies in the directories that a command may write to."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.sandbox.protocol import MEBIBYTE

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
            self._walk()
        return self._used > self._limit

    def exceeded_at_end(self) -> bool:
        """Whether the limit is passed now that nothing writes any more.

        Always walks: neighbours that free room meanwhile would hide what was written last.
        """
        self._walk()
        return self._used > self._limit

    def _room_may_be_gone(self) -> bool:
        headroom = max(self._limit - self._used, MEBIBYTE)
        return self._free_at_walk - self._free() > headroom / 2

    def _walk(self) -> None:
        cost = -time.thread_time()
        # Before the walk: what is written during it may be missed, and must count as new.
        self._free_at_walk = self._free()
        sizes = [measure(root) for root in self._roots]
        self._used = sum(size.used_bytes for size in sizes) + self._held()
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
