"""Directories that live no longer than the process that made them; copies of whole trees."""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import subprocess
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path

import psutil

from evaluator.errors import CheckoutError
from evaluator.storage.locks import DirectoryLock

_logger = logging.getLogger(__name__)


def copy_tree(source: Path, target: Path) -> None:
    """Copy a directory to a path that does not exist yet, with modes, dates and links.

    Where the file system can share blocks, `cp` does so. Raises CheckoutError.
    """
    _copy(["cp", "-a", "--", str(source), str(target)])


def lay_over(overlay: Path, tree: Path) -> None:
    """Copy the files of a directory into a tree, in place of those that are there.

    A file that stands in the way is removed, not written to: it may be a link that leads out of
    the tree. Raises CheckoutError.
    """
    _copy(["cp", "-a", "--remove-destination", "--", f"{overlay}/.", str(tree)])


def _copy(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise CheckoutError(f"a work tree cannot be made: {done.stderr.strip()}")


def remove_tree(directory: Path) -> None:
    """Remove a directory, though a test may have locked it up or nested it without end.

    What still stands afterwards is logged: a result is worth more than a clean disk.
    """
    remove = ["rm", "-rf", "--", str(directory)]
    if subprocess.run(remove, capture_output=True, check=False).returncode == 0:
        return
    unlock = ["chmod", "-R", "u+rwX", "--", str(directory)]
    subprocess.run(unlock, capture_output=True, check=False)
    done = subprocess.run(remove, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        _logger.warning("the work tree %s cannot be removed: %s", directory, reason)


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
