"""Directories for one piece of work, which no kill leaves behind for long."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evaluator.storage.locks import DirectoryLock, locked


@contextlib.contextmanager
def scratch(cache: Path) -> Iterator[Path]:
    """A directory on the disk of the cache, so that files can be linked; removed at the end.

    Those that killed processes left are removed by the next one that asks.
    """
    shelf = cache / "scratch"
    shelf.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        # Made and held in one step: what nobody holds can be taken for abandoned.
        with locked(shelf / ".lock"):
            _remove_abandoned(shelf)
            place = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=shelf)))
            stack.enter_context(DirectoryLock.at_once(place))
        yield place


def _remove_abandoned(shelf: Path) -> None:
    for place in shelf.iterdir():
        if place.is_dir():
            with contextlib.suppress(OSError), DirectoryLock.at_once(place):
                shutil.rmtree(place)
