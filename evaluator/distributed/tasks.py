"""What workers of batches call: they make the items of a task anew, and work on them."""

from __future__ import annotations

import pkgutil
import socket
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from evaluator.batch import Item, run_batch
from evaluator.distributed.connections import retrying
from evaluator.distributed.records import (
    BatchRecords,
    RecordStore,
    RemoteItem,
    RemoteResult,
    TaskDocument,
    item_id,
)
from evaluator.distributed.shared_files import SharedFiles
from evaluator.errors import FixgateError, InputError
from evaluator.sandbox.protocol import ResourceLimits, Sandbox
from evaluator.storage.typed import UnreadableError, learn
from evaluator.workspace import Workspace, WorkspaceSettings

Value = TypeVar("Value")


@dataclass(frozen=True)
class RemoteGroup:
    """The items of a task, made anew, and how their results are written."""

    items: Sequence[Item[Any]]
    to_json: Callable[[Any], object]
    is_final: Callable[[Any], bool]


@dataclass(frozen=True)
class TaskPlace:
    """Where a task is worked on: what it needs of this machine, and where its files go."""

    settings: WorkspaceSettings
    sandbox: Sandbox
    directory: Path

    @property
    def workspace(self) -> Workspace:
        """A workspace of the task's own."""
        return Workspace(self.settings, self.sandbox)


MakeGroup = Callable[[Any, Sequence[Any], TaskPlace], RemoteGroup]
"""Takes what a group has in common, the inputs of its items, and the place."""


@dataclass(frozen=True)
class Workplace:
    """What tasks of this process are done with. `kinds` names functions (`MakeGroup`)."""

    redis_url: str
    kinds: Mapping[str, str]
    settings: Callable[[ResourceLimits], WorkspaceSettings]
    sandbox: Sandbox
    shared: SharedFiles

    def load(self) -> None:
        """Import everything, so that no task has to. Raises ImportError or AttributeError."""
        learn(TaskDocument, RemoteResult)
        for path in self.kinds.values():
            pkgutil.resolve_name(path)

    def group(self, task: str, document: TaskDocument) -> RemoteGroup:
        """The items of a task. Raises InputError where they cannot be made here."""
        if document.kind not in self.kinds:
            raise InputError(f"{document.kind!r} is no work that is known here")
        make: MakeGroup = pkgutil.resolve_name(self.kinds[document.kind])
        place = TaskPlace(self.settings(document.limits), self.sandbox, self.shared.directory(task))
        try:
            group = make(document.common, [item.inputs for item in document.items], place)
        except UnreadableError as error:
            raise InputError(f"the task cannot be read: {error}; {_VERSIONS}") from error
        _check_keys(group.items, document.items)
        return group


_VERSIONS = "does the worker have the version of fixgate that the command has?"
_workplace: list[Workplace] = []


def prepare(workplace: Workplace) -> None:
    """Say what the tasks of this process, and of those that it forks, are done with."""
    _workplace[:] = [workplace]


def do_task(task: str) -> None:
    """Work on the items of a task that have no result yet; one that was withdrawn has none.

    What ends a batch (see `evaluator.batch.Item`) is told to those who wait.
    """
    workplace = _workplace[0]
    records = BatchRecords(retrying(workplace.redis_url))
    document = records.document(task)
    if document is None:
        return
    records.begin(task)
    try:
        group = workplace.group(task, document)
        store = RecordStore(
            records,
            document.kind,
            task,
            group.to_json,
            group.is_final,
            lambda: workplace.shared.publish(task),
        )
        run_batch([group.items], store, workers=1, progress=lambda _: None)
    except Exception as error:  # whatever it is, others of its kind would meet it too
        records.stop(task, f"worker on {socket.gethostname()}: {_told(error)}")
    items = [item_id(document.kind, item.name, item.key) for item in document.items]
    records.withdraw(task, items)


def _told(error: Exception) -> str:
    if isinstance(error, FixgateError):
        return str(error)
    return "a defect of fixgate: " + "".join(traceback.format_exception(error)[-6:])


def _check_keys(made: Iterable[Item[Any]], asked: Iterable[RemoteItem]) -> None:
    """Other code would make other results: keys hold the digest of what runs tests."""
    keys = {item_id("", item.name, item.key) for item in made}
    if keys != {item_id("", item.name, item.key) for item in asked}:
        raise InputError(f"the task has other keys here than where it comes from; {_VERSIONS}")
