"""Directories that live no longer than the process that made them."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path

import psutil

from evaluator.checkout.copying import remove_tree
from evaluator.errors import CheckoutError
from evaluator.storage.locks import DirectoryLock

_MEMORY = Path("/dev/shm")  # noqa: S108 - only ever used through a directory of our own
_MEMORY_NEEDED = 8 * 1024**3


def fastest_root(cache: Path) -> Path:
    """Where work trees are made: in memory if there is plenty of it, else under `cache`.

    Trees are made and removed all the time. ext4 looks at every recently removed inode before it
    gives out a new one, which makes copying a tree ten times slower there than in memory.
    """
    place = _MEMORY / f"fixgate-{os.getuid()}"
    return place if _memory_is_plenty() and _is_ours(place) else cache / "work"


def _memory_is_plenty() -> bool:
    try:
        memory = os.statvfs(_MEMORY)
    except OSError:
        return False
    free = min(memory.f_bavail * memory.f_frsize, psutil.virtual_memory().available)
    return free >= _MEMORY_NEEDED and not memory.f_flag & os.ST_NOEXEC


def _is_ours(place: Path) -> bool:
    """Whether this is a directory, made now if need be, that nobody else can enter."""
    try:
        place.mkdir(mode=0o700, exist_ok=True)
        status = place.lstat()
    except OSError:
        return False
    private = stat.S_ISDIR(status.st_mode) and not stat.S_IMODE(status.st_mode) & 0o077
    return private and status.st_uid == os.getuid()


class Scratch:
    """Temporary directories under a root that several processes share.

    Each `Scratch` works in a directory of its own there and holds a lock on it, which the kernel
    gives back when the process dies. An unlocked one is thus an orphan: the next `Scratch` with
    the same root removes it.
    """

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        with DirectoryLock.waiting(
            root
        ):  # so that nobody sweeps a directory that is not locked yet
            orphans = _unlocked(root)
            self._own = Path(tempfile.mkdtemp(dir=root, prefix="process-"))
            hold = DirectoryLock.waiting(self._own)
        weakref.finalize(self, _end, self._own, hold, os.getpid())
        for orphan, held in orphans:
            with held:
                remove_tree(orphan)

    @contextlib.contextmanager
    def directory(self) -> Iterator[Path]:
        """A new directory, removed at the end with whatever is in it. Raises CheckoutError."""
        try:
            place = Path(tempfile.mkdtemp(dir=self._own, prefix="task-"))
        except OSError as error:
            raise CheckoutError(f"a work tree cannot be made: {error}") from error
        try:
            yield place
        finally:
            remove_tree(place)


def _unlocked(root: Path) -> list[tuple[Path, DirectoryLock]]:
    """The directories of processes that are no more, locked by us now."""
    found = []
    for directory in root.glob("process-*"):
        with contextlib.suppress(OSError):
            found.append((directory, DirectoryLock.at_once(directory)))
    return found


def _end(own: Path, hold: DirectoryLock, process: int) -> None:
    if os.getpid() != process:  # a fork of the owner, which still works there
        return
    with hold:
        remove_tree(own)
