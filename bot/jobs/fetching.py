"""Fetches into bare repositories of ours; nothing of what comes is ever executed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from evaluator.checkout.git import QUICK_TO_GIVE_UP, git, shielded

LONGEST_LOCK: Final = 10.0
"""Seconds; git holds the lock of a reference for moments."""
_OPTIONS = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")


def fetch(
    place: Path,
    arguments: Sequence[str],
    variables: Mapping[str, str],
    *,
    seconds: float | None = None,
) -> None:
    """Run `git fetch` in a bare repository, which is made where there is none.

    `variables` are added to the environment. Whoever calls holds a lock on the repository. Raises
    CheckoutError with git's own words.
    """
    environment = {**shielded(), **QUICK_TO_GIVE_UP, **variables}
    if not (place / "HEAD").exists():
        git(["init", "--quiet", "--bare", "--template=", str(place)], environment)
    _remove_stale_locks(place)
    git(["-C", str(place), "fetch", *_OPTIONS, *arguments], environment, seconds=seconds)


def _remove_stale_locks(place: Path) -> None:
    """Remove what a killed git left behind, which would keep every later one out of its refs."""
    for lock in (*place.glob("*.lock"), *(place / "refs").rglob("*.lock")):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - lock.stat().st_mtime > LONGEST_LOCK:
                lock.unlink()
