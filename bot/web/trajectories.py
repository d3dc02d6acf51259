"""The trajectories in the directory of data."""

from __future__ import annotations

import datetime
import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from evaluator import InputError
from generator.trajectory.page import render
from generator.trajectory.reading import read_trajectory
from generator.trajectory.recorder import SUFFIX

MOST_TRAJECTORIES = 200
_SLASH = "+"
"""No name of an owner or a repository has it."""


@dataclass(frozen=True)
class Listed:
    """One trajectory, by its name without the suffix."""

    name: str
    changed_at: datetime.datetime


def repository_in(name: str) -> str:
    """The repository (`owner/name`) that the name of a trajectory begins with."""
    return name.rpartition("-")[0].replace(_SLASH, "/", 1)


def _links(name: str) -> Mapping[str, str]:
    repository = repository_in(name)
    return {
        "fixgate": "/",
        "Trajectories": "/trajectories",
        repository: f"/?repository={quote(repository)}",
    }


class Trajectories:
    """Those in a directory, which may not be there: workers may run on other machines."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def latest(self, wanted: Callable[[str], bool]) -> Sequence[Listed]:
        """The latest whose names are wanted, newest first."""
        found = (
            (path.stat().st_mtime, name)
            for path in self._directory.glob(f"*{SUFFIX}")
            if wanted(name := path.name.removesuffix(SUFFIX))
        )
        return [
            Listed(name, datetime.datetime.fromtimestamp(changed, datetime.UTC))
            for changed, name in heapq.nlargest(MOST_TRAJECTORIES, found)
        ]

    def name_of(self, repository: str, issue: int) -> str:
        """The name of an issue's trajectory, "" where there is none."""
        name = f"{repository.replace('/', _SLASH)}-{issue}"
        return name if self._path(name) is not None else ""

    def page(self, name: str) -> bytes | None:
        """A page of its own; None for one that is not there, or cannot be read."""
        path = self._path(name)
        try:
            return None if path is None else render(read_trajectory(path), _links(name))
        except InputError:
            return None

    def _path(self, name: str) -> Path | None:
        path = self._directory / f"{name}{SUFFIX}"
        return path if path.parent == self._directory and path.is_file() else None
