"""Has the items of a batch carried out by workers, on any number of hosts.

The command's own store is the truth, and Redis a queue: what Redis loses is queued again, and a
command that is killed and started again goes on from both.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from redis import Redis
from redis.client import PubSub
from rq import Queue, Worker

from evaluator.batch import Item, ResultStore, result_of
from evaluator.distributed.connections import UNREACHABLE
from evaluator.distributed.queue import BATCH, TaskQueue, TaskStatus
from evaluator.distributed.records import (
    ENDED,
    BatchRecords,
    BatchTask,
    RemoteItem,
    RemoteResult,
    TaskDocument,
    item_id,
)
from evaluator.distributed.shared_files import SharedFiles
from evaluator.errors import FixgateError, InputError, WorkerLostError
from evaluator.sandbox.protocol import ResourceLimits

Result = TypeVar("Result")
Named = Iterator[tuple[str, Result]]

MOST_ATTEMPTS: Final = 3
"""So many workers may die of a task."""
TASK_SECONDS: Final = 24 * 3600
"""How long a task may take; its runs have limits of their own."""
_AGAIN_SECONDS: Final = 2
_SAYING_SECONDS: Final = 60.0
_STOPPED: Final = "; what is done is kept: mend it, and run the same command again"


@dataclass(frozen=True)
class QueueCarrier:
    """Carries items out by workers that listen to the same Redis.

    Files that results leave are taken from `shared`, which the workers write to. `tell` shows a
    sentence to the user, and `look` is called about every second. What was lost is looked for
    every `look_seconds`. Raises InputError where Redis does not answer, and for what a worker says
    that ends the batch.
    """

    connection: Redis
    shared: SharedFiles
    limits: ResourceLimits
    tell: Callable[[str], None]
    look: Callable[[], None] = lambda: None
    look_seconds: float = 3.0

    def carry(
        self,
        groups: Iterable[Iterable[Item[Result]]],
        store: ResultStore[Result],
        may_begin: Callable[[], bool],
    ) -> Generator[tuple[str, Result], None, None]:
        """See `evaluator.batch.Carrier`."""
        batch = _Batch(self, store, may_begin)
        try:
            with contextlib.closing(self._news()) as news:
                yield from batch.submitted(groups)
                while batch.waiting:
                    self.look()
                    yield from batch.arrived(news.get_message(timeout=min(1.0, self.look_seconds)))
        except UNREACHABLE as error:
            raise InputError(f"Redis does not answer any more ({error}){_STOPPED}") from error
        finally:
            with contextlib.suppress(*UNREACHABLE):
                batch.withdraw()

    def _news(self) -> PubSub:
        """What workers tell, from now on."""
        news: PubSub = self.connection.pubsub()  # type: ignore[no-untyped-call]
        news.subscribe(ENDED)
        return news


@dataclass(frozen=True)
class _Waiting(Generic[Result]):
    """An item that is waited for, and the task that it belongs to."""

    item: Item[Result]
    task: BatchTask
    is_ours: bool


@dataclass
class _Batch(Generic[Result]):
    """What one command waits for, by the ids of items."""

    carrier: QueueCarrier
    store: ResultStore[Result]
    may_begin: Callable[[], bool]
    waiting: dict[str, _Waiting[Result]] = field(default_factory=dict)
    _suspects: set[str] = field(default_factory=set)
    _looked: float = 0.0
    _said: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._records = BatchRecords(self.carrier.connection)
        self._queue = TaskQueue(self.carrier.connection, lambda _: TASK_SECONDS)

    def submitted(self, groups: Iterable[Iterable[Item[Result]]]) -> Named[Result]:
        """Queue what has no result; the others' results."""
        for group in groups:
            away = []
            for item in group:
                result = self.store.read(item.name, item.key)
                if result is None and item.remote is None and self.may_begin():
                    result = result_of(item)
                    self.store.write(item.name, item.key, result)
                if result is not None:
                    yield item.name, result
                elif item.remote is not None:
                    away.append(item)
            yield from self._asked_for(away)

    def _asked_for(self, items: Sequence[Item[Result]]) -> Named[Result]:
        """Items of one group: the results that Redis has; the rest is queued."""
        asked = {_id(item): item for item in items}
        for name, found in list(self._records.results(list(asked))):
            if found.is_final:
                yield self._kept(asked.pop(name), found)
            else:
                self._records.forget_result(name)
        if asked and self.may_begin():
            self._submit(asked)

    def _submit(self, asked: dict[str, Item[Result]]) -> None:
        """Queue a task for what belongs to no other; wait for all of it."""
        task = _task(self._document(list(asked.values())))
        owners = self._records.owners(list(asked), task.about)
        ours = {}
        for (name, item), owner in zip(asked.items(), owners, strict=True):
            if owner == task.about:
                ours[name] = item
            else:
                self.waiting[name] = _Waiting(item, BatchTask(owner, task.affinity), is_ours=False)
        self._queue_own(ours)

    def _queue_own(self, items: dict[str, Item[Result]]) -> None:
        if not items:
            return
        document = self._document(list(items.values()))
        task = _task(document)
        self._records.own(items, task.about)
        self._records.put(document)
        self._queue.add(task)
        for name, item in items.items():
            self.waiting[name] = _Waiting(item, task, is_ours=True)

    def _document(self, items: Sequence[Item[Result]]) -> TaskDocument:
        first = _form(items[0])
        made = tuple(RemoteItem(i.name, i.key, _form(i).inputs()) for i in items)
        return TaskDocument(first.kind, first.affinity, self.carrier.limits, first.common(), made)

    def arrived(self, message: dict[str, Any] | None) -> Named[Result]:
        """Results that are there now, after a message or without."""
        if message is not None and message["type"] == "message":
            news = message["data"].decode()
            if news in self.waiting:
                yield from self._fetched([news])
            else:
                self._check_error(news)
        if not self.may_begin():
            self.withdraw()
        if time.monotonic() - self._looked >= self.carrier.look_seconds:
            yield from self._looked_after()
            self._looked = time.monotonic()

    def _fetched(self, names: Sequence[str]) -> Named[Result]:
        for name, found in list(self._records.results(names)):
            yield self._kept(self.waiting.pop(name).item, found)

    def _kept(self, item: Item[Result], found: RemoteResult) -> tuple[str, Result]:
        form = _form(item)
        result = form.read(found.result)
        if form.files is not None:
            self.carrier.shared.take(found.task, form.files, form.directory / form.files)
        self.store.write(item.name, item.key, result)
        return item.name, result

    def _check_error(self, task: str) -> None:
        """Raise InputError where a worker said that the batch cannot go on."""
        if task in {one.task.about for one in self.waiting.values()}:
            error = self._records.error(task)
            if error:
                raise InputError(f"{error}{_STOPPED}")

    def _looked_after(self) -> Named[Result]:
        """What no message came of: results, and tasks that were lost."""
        yield from self._fetched(list(self.waiting))
        tasks = {one.task.id: one.task for one in self.waiting.values()}
        queued = self._queued({task.queue for task in tasks.values()})
        states = {
            name: self._queue.status(task) for name, task in tasks.items() if name not in queued
        }
        self._say_if_idle(states)
        gone = {
            name
            for name, state in states.items()
            if state not in (TaskStatus.RUNS, TaskStatus.WAITS)
        }
        for name in gone & self._suspects:
            yield from self._missed(tasks[name])
        self._suspects = gone

    def _queued(self, queues: Iterable[str]) -> set[str]:
        return {task for name in queues for task in self._queue.queue(name).get_job_ids()}

    def _missed(self, task: BatchTask) -> Named[Result]:
        """Queue a task anew of which nothing is heard, or give it up."""
        self._check_error(task.about)
        items = {name: one.item for name, one in self.waiting.items() if one.task == task}
        yield from self._fetched(list(items))
        left = {name: item for name, item in items.items() if name in self.waiting}
        if self._records.begun(task.about) >= MOST_ATTEMPTS:
            yield from self._given_up(task, left)
        elif not self.may_begin():
            self._drop(left)
        elif left and self._records.is_first(f"again:{task.about}", _AGAIN_SECONDS):
            if self._records.document(task.about) is None:
                self._queue_own(left)
            else:
                self._queue.add_again(task)

    def _given_up(self, task: BatchTask, items: dict[str, Item[Result]]) -> Named[Result]:
        self._records.end(task.about)
        self._queue.forget(task)
        for name, item in items.items():
            error = WorkerLostError(
                f"{MOST_ATTEMPTS} workers ended while they worked on it: were they killed, or did "
                "their hosts run out of memory?"
            )
            result = item.failed(error)
            self.store.write(item.name, item.key, result)
            del self.waiting[name]
            yield item.name, result

    def _say_if_idle(self, states: dict[str, TaskStatus]) -> None:
        runs = TaskStatus.RUNS in states.values()
        if runs or time.monotonic() - self._said < _SAYING_SECONDS / 6 or _workers(self._queue):
            return
        self._said = time.monotonic() + _SAYING_SECONDS
        self.carrier.tell(
            "no worker listens to this Redis: start some with `fixgate worker --queues batch`"
        )

    def withdraw(self) -> None:
        """Take out what was queued here and waits; what has begun goes on."""
        tasks: dict[BatchTask, list[str]] = {}
        for name, one in self.waiting.items():
            if one.is_ours:
                tasks.setdefault(one.task, []).append(name)
        queued = self._queued({task.queue for task in tasks})
        for task, items in tasks.items():
            if task.id in queued:
                self._queue.forget(task)
                self._records.withdraw(task.about, items)
                self._drop(items)

    def _drop(self, items: Iterable[str]) -> None:
        for name in items:
            del self.waiting[name]


def _id(item: Item[Any]) -> str:
    return item_id(_form(item).kind, item.name, item.key)


def _form(item: Item[Any]) -> Any:
    if item.remote is None:
        raise FixgateError(f"{item.name} cannot be worked on elsewhere")
    return item.remote


def _task(document: TaskDocument) -> BatchTask:
    return BatchTask(document.key, document.affinity)


def _workers(queue: TaskQueue) -> int:
    base: Queue = queue.queue(BATCH)
    return int(Worker.count(queue=base))
