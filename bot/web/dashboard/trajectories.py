"""How tests were written: the trajectories that lie in the data directory."""

from __future__ import annotations

import datetime
import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator import InputError
from generator.trajectory.page import render
from generator.trajectory.reading import read_trajectory
from generator.trajectory.recorder import SUFFIX

MOST_ROWS = 200


@dataclass(frozen=True)
class Listed:
    """One trajectory, by its name without the suffix."""

    name: str
    changed_at: datetime.datetime


class Trajectories:
    """Those in a directory, which may not be there: workers may run on other machines."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def latest(self) -> Sequence[Listed]:
        """The latest, newest first."""
        found = (
            (path.stat().st_mtime, path.name.removesuffix(SUFFIX))
            for path in self._directory.glob(f"*{SUFFIX}")
        )
        return [
            Listed(name, datetime.datetime.fromtimestamp(changed, datetime.UTC))
            for changed, name in heapq.nlargest(MOST_ROWS, found)
        ]

    def name_of(self, repository: str, issue: int) -> str:
        """The name of an issue's trajectory, "" where there is none."""
        name = f"{repository.replace('/', '+')}-{issue}"
        return name if self._path(name) is not None else ""

    def page(self, name: str) -> bytes | None:
        """A page of its own; None for one that is not there, or cannot be read."""
        path = self._path(name)
        try:
            return None if path is None else render(read_trajectory(path))
        except InputError:
            return None

    def _path(self, name: str) -> Path | None:
        path = self._directory / f"{name}{SUFFIX}"
        return path if path.parent == self._directory and path.is_file() else None
