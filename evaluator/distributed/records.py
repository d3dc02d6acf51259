"""What the commands and the workers of a batch tell each other through Redis, beside the queue.

All of it is JSON. Nothing is kept for good: results belong into the store of the command.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from redis import Redis

from evaluator.distributed.queue import BATCH, task_id
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.storage.keys import content_key
from evaluator.storage.typed import as_json, read_as

DO: Final = "evaluator.distributed.tasks.do_task"
"""All that a worker of batches may be asked to call."""
ENDED: Final = "fixgate:batch:ended"
"""The channel on which it is told that there is news of an item or a task."""
KEPT_SECONDS: Final = 7 * 24 * 3600
"""How long a result waits for a command that was killed to be started again."""
_TRIED_AGAIN_SECONDS: Final = 3600
_AT_ONCE: Final = 200


@dataclass(frozen=True)
class RemoteItem:
    """An item of a task: its name and key in the batch, and what it is made of."""

    name: str
    key: str
    inputs: Any


@dataclass(frozen=True)
class TaskDocument:
    """A task as it travels: some items of one group, and how long their runs may take."""

    kind: str
    affinity: str
    limits: ResourceLimits
    common: Any
    items: tuple[RemoteItem, ...]

    @property
    def key(self) -> str:
        """Stands for the items, and so for all that their results are made of."""
        return content_key([self.kind, [item_id(self.kind, i.name, i.key) for i in self.items]])


@dataclass(frozen=True)
class BatchTask:
    """A task by its key; tasks of one affinity have a queue of their own."""

    about: str
    affinity: str
    function: str = DO

    @property
    def id(self) -> str:
        """An id that RQ takes."""
        return task_id(self.function, self.about)

    @property
    def queue(self) -> str:
        """Where it waits."""
        return f"{BATCH}:{self.affinity}" if self.affinity else BATCH


@dataclass(frozen=True)
class RemoteResult:
    """A result as it travels; what lies beside it is in the shared place, under `task`."""

    result: Any
    is_final: bool
    task: str


def item_id(kind: str, name: str, key: str) -> str:
    """Stands for one result, whoever asks for it."""
    return content_key([kind, name, key])


class BatchRecords:
    """The records in one Redis. All methods raise redis.RedisError."""

    def __init__(self, connection: Redis) -> None:
        self.connection = connection

    def put(self, document: TaskDocument) -> None:
        """Keep the document of a task."""
        self.connection.delete(_key("error", document.key))
        text = json.dumps(as_json(document))
        self.connection.set(_key("task", document.key), text, ex=KEPT_SECONDS)

    def document(self, task: str) -> TaskDocument | None:
        """The document of a task; None where it was withdrawn. Raises UnreadableError."""
        text = self.connection.get(_key("task", task))
        return None if text is None else read_as(TaskDocument, json.loads(text))

    def withdraw(self, task: str, items: Iterable[str]) -> None:
        """Forget a task that is done, or not to be begun."""
        owned = (_key("owner", item) for item in items)
        self.connection.delete(_key("task", task), _key("begun", task), *owned)

    def owners(self, items: Sequence[str], task: str) -> Sequence[str]:
        """The tasks that the items belong to: this one, where none was there before."""
        with self.connection.pipeline(transaction=False) as together:
            for item in items:
                together.set(_key("owner", item), task, ex=KEPT_SECONDS, nx=True, get=True)
            return [_text(owner) or task for owner in together.execute()]

    def own(self, items: Iterable[str], task: str) -> None:
        """Let items belong to this task, whichever they belonged to."""
        with self.connection.pipeline(transaction=False) as together:
            for item in items:
                together.set(_key("owner", item), task, ex=KEPT_SECONDS)
            together.execute()

    def begin(self, task: str) -> None:
        """Count one more attempt at a task."""
        with self.connection.pipeline() as together:
            together.incr(_key("begun", task))
            together.expire(_key("begun", task), KEPT_SECONDS)
            together.execute()

    def begun(self, task: str) -> int:
        """How many attempts at a task did not end."""
        return int(self.connection.get(_key("begun", task)) or 0)

    def end(self, task: str) -> None:
        """Note that an attempt at a task came to its end, or is not counted any more."""
        self.connection.delete(_key("begun", task))

    def write(self, item: str, result: RemoteResult) -> None:
        """Keep a result and tell that it is there."""
        seconds = KEPT_SECONDS if result.is_final else _TRIED_AGAIN_SECONDS
        with self.connection.pipeline() as together:
            together.set(_key("result", item), json.dumps(as_json(result)), ex=seconds)
            together.publish(ENDED, item)
            together.execute()

    def results(self, items: Sequence[str]) -> Iterator[tuple[str, RemoteResult]]:
        """Those items that have results, with these."""
        for start in range(0, len(items), _AT_ONCE):
            some = items[start : start + _AT_ONCE]
            found = self.connection.mget([_key("result", item) for item in some])
            for item, text in zip(some, found, strict=True):
                if text is not None:
                    yield item, read_as(RemoteResult, json.loads(text))

    def forget_result(self, item: str) -> None:
        """Have an item worked on again."""
        self.connection.delete(_key("result", item))

    def stop(self, task: str, error: str) -> None:
        """Say what is wrong with all that are like a task, and tell that there is news."""
        with self.connection.pipeline() as together:
            together.set(_key("error", task), error, ex=_TRIED_AGAIN_SECONDS)
            together.publish(ENDED, task)
            together.execute()

    def error(self, task: str) -> str:
        """What `stop` said, "" where it said nothing."""
        return _text(self.connection.get(_key("error", task)))

    def is_first(self, what: str, seconds: int) -> bool:
        """Whether nobody else said the same for so many seconds."""
        return bool(self.connection.set(_key("first", what), 1, ex=seconds, nx=True))


def _key(what: str, name: str) -> str:
    return f"fixgate:batch:{what}:{name}"


def _text(value: bytes | str | None) -> str:
    return value.decode() if isinstance(value, bytes) else value or ""


@dataclass(frozen=True)
class RecordStore:
    """Results as a worker keeps them for one task: an `evaluator.batch.ResultStore`."""

    records: BatchRecords
    kind: str
    task: str
    to_json: Callable[[Any], object]
    is_final: Callable[[Any], bool]
    publish: Callable[[], None]

    def read(self, name: str, key: str) -> RemoteResult | None:
        """The final result, whoever made it."""
        found: Mapping[str, RemoteResult] = dict(
            self.records.results([item_id(self.kind, name, key)])
        )
        return next((result for result in found.values() if result.is_final), None)

    def write(self, name: str, key: str, result: Any) -> None:
        """Keep a result for those who wait for it, whose files they find first."""
        self.publish()
        row = RemoteResult(self.to_json(result), self.is_final(result), self.task)
        self.records.write(item_id(self.kind, name, key), row)
