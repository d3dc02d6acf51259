"""Runs that were made already, kept by the content of everything that went into them."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import cattrs

from evaluator.files import write_whole
from evaluator.outcome import Run

_converter = cattrs.Converter()


def content_key(parts: Mapping[str, object]) -> str:
    """SHA-256 (hex) of JSON-able parts, independent of their order."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class RunCache:
    """A directory of runs, shared safely by threads and processes.

    A run is written whole or not at all; one that cannot be read is made anew.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def get(self, key: str, make: Callable[[], Run]) -> Run:
        """The run kept under `key`, made and kept now if there is none.

        Whoever asks for the same key meanwhile waits for the first one's run.
        """
        path = self._directory / key[:2] / f"{key}.json.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path.with_suffix(".lock")):
            run = _read(path)
            if run is None:
                run = make()
                _write(path, run)
        return run


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _read(path: Path) -> Run | None:
    """The run in a file; None when there is no readable one, which is then made anew."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            return _converter.structure(json.load(stream), Run)
    except (OSError, EOFError, ValueError, cattrs.BaseValidationError):
        return None


def _write(path: Path, run: Run) -> None:
    write_whole(path, gzip.compress(json.dumps(_converter.unstructure(run)).encode()))
