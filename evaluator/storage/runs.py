"""Runs that were made already, kept by the content of everything that went into them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

from evaluator.model import Run
from evaluator.storage.files import write_whole
from evaluator.storage.locks import locked
from evaluator.storage.typed import as_json, read_as


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
        return self.get_impatiently(key, make, is_cut=lambda _: False, suffices=lambda _: False)

    def get_impatiently(
        self,
        key: str,
        make: Callable[[], Run],
        *,
        is_cut: Callable[[Run], bool],
        suffices: Callable[[Run], bool],
    ) -> Run:
        """The same where a run that is made may be cut before its limit.

        One that `is_cut` is kept beside the place of whole ones, and `suffices` says if it does for
        whoever asks next: as a rule others are as patient.
        """
        path = self._directory / key[:2] / f"{key}.json.gz"
        cut = path.with_name(f"{key}.cut.json.gz")
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.with_suffix(".lock")):
            run = _read(path)
            if run is None and (found := _read(cut)) is not None and suffices(found):
                run = found
            if run is None:
                run = make()
                _write(cut if is_cut(run) else path, run)
        return run


def _read(path: Path) -> Run | None:
    """The run in a file; None when there is no readable one, which is then made anew."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            return read_as(Run, json.load(stream))
    except (OSError, EOFError, ValueError):
        return None


def _write(path: Path, run: Run) -> None:
    write_whole(path, gzip.compress(json.dumps(as_json(run)).encode()))
