"""Locks between threads and between processes, which the kernel gives back after any death."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait for a lock file and hold it; the file is made if need be, and stays."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


class DirectoryLock:
    """A lock on a directory, held until the end of a `with`, or of the process if it is killed."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @staticmethod
    def waiting(directory: Path) -> DirectoryLock:
        """Lock a directory, once whoever holds it lets go."""
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return DirectoryLock(descriptor)

    @staticmethod
    def at_once(directory: Path) -> DirectoryLock:
        """Lock a directory. Raises OSError where it is locked or gone."""
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise
        return DirectoryLock(descriptor)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)
