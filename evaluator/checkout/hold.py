"""Locks on directories, between threads and between processes."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class Hold:
    """A lock on a directory, held until the end of a `with`, or of the process if it is killed."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @staticmethod
    def waiting(directory: Path) -> Hold:
        """Lock a directory, once whoever holds it lets go."""
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return Hold(descriptor)

    @staticmethod
    def at_once(directory: Path) -> Hold:
        """Lock a directory. Raises OSError where it is locked or gone."""
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise
        return Hold(descriptor)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)
