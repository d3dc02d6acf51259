"""A dataset that is larger than the memory: one repository of its file is read at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import ijson
from pydantic import ValidationError

from evaluator.benchmarks.tests4j.dataset import (
    FocalMethod,
    RepositorySnapshot,
    Tests4JDataset,
    load_dataset,
)

_REPOSITORIES = "repositories"


class MethodSource(Protocol):
    """A dataset whose methods can be gone through again and again."""

    @property
    def name(self) -> str:
        """What the dataset is called."""
        ...

    def methods(self) -> Iterator[tuple[RepositorySnapshot, FocalMethod]]:
        """Each method with its repository."""
        ...


@dataclass(frozen=True)
class DatasetFile:
    """A file that was found to hold a dataset; each pass over its methods reads it anew."""

    name: str
    path: Path

    def methods(self) -> Iterator[tuple[RepositorySnapshot, FocalMethod]]:
        """Each method with its repository, of which one is in memory."""
        with self.path.open("rb") as file:
            for repository in _repositories(file):
                yield from ((repository, method) for method in repository.methods)


def open_dataset(path: Path) -> MethodSource:
    """Look a dataset through, and leave it in its file.

    Raises InputError as `load_dataset` does: a file in which this reader finds a fault is given to
    that one, which knows what to say.
    """
    try:
        return DatasetFile(_checked(path).name, path)
    except (OSError, ijson.JSONError, UnicodeDecodeError, ValidationError):
        return load_dataset(path)


def _checked(path: Path) -> Tests4JDataset:
    """The dataset with its repositories, and none of their methods."""
    with path.open("rb") as file:
        head = _head(file)
        file.seek(0)
        emptied = [each.model_copy(update={"methods": ()}) for each in _repositories(file)]
    is_list = head.get(_REPOSITORIES) == []
    return Tests4JDataset.model_validate({**head, _REPOSITORIES: emptied} if is_list else head)


def _head(file: BinaryIO) -> dict[str, Any]:
    """The members of the object in a file; lists are empty, and objects null."""
    head: dict[str, Any] = {}
    events: Iterable[tuple[str, str, Any]] = ijson.parse(file)
    for prefix, event, value in events:
        if prefix in head:
            head[prefix] = [] if event == "end_array" else value
        elif (prefix, event) == ("", "map_key"):
            head[value] = None
    return head


def _repositories(file: BinaryIO) -> Iterator[RepositorySnapshot]:
    items: Iterable[object] = ijson.items(file, f"{_REPOSITORIES}.item")
    return map(RepositorySnapshot.model_validate, items)
