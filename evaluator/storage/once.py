"""Makes a directory once for all the processes of a machine that want it."""

from __future__ import annotations

import contextlib
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

from evaluator.storage.locks import locked


def make_once(shelf: Path, key: str, make: Callable[[Path], None]) -> Path:
    """The directory under `shelf` that `make` filled for `key`, made now if nobody did before.

    `make` gets a path that does not exist yet. A directory counts only once `make` returned:
    then its name is written to `KEY.complete` in one step. A maker that is killed leaves a
    directory that nothing points to, which the next one removes. Every attempt has a name of its
    own, so that a child which outlives a killed maker cannot write into a later attempt.
    """
    shelf.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        return completed(shelf, key)
    with locked(shelf / f"{key}.lock"):
        with contextlib.suppress(FileNotFoundError):
            return completed(shelf, key)
        return _make(shelf, key, make)


def completed(shelf: Path, key: str) -> Path:
    """The finished directory for `key`. Raises FileNotFoundError where there is none."""
    place = shelf / (shelf / f"{key}.complete").read_text(encoding="utf-8")
    if not place.is_dir():
        raise FileNotFoundError(place)
    return place


def _make(shelf: Path, key: str, make: Callable[[Path], None]) -> Path:
    for abandoned in shelf.glob(f"{key}-*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    place = shelf / f"{key}-{secrets.token_hex(4)}"
    try:
        make(place)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    pointer = shelf / f"{place.name}.pointer"
    pointer.write_text(place.name, encoding="utf-8")
    pointer.replace(shelf / f"{key}.complete")
    return place
