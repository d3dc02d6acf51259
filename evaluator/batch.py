"""Works on many items: in parallel, resumable, one result an item.

Each result is on disk as soon as there is one, so that a batch which was stopped or killed at any
moment goes on from there when it is started again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Result = TypeVar("Result")
Value = TypeVar("Value")


class ResultStore(Protocol[Result]):
    """Keeps results by the names of their items. Safe to share between threads."""

    def read(self, name: str, key: str) -> Result | None:
        """The result that was made with the same inputs (`key`); None where it is still to do."""

    def write(self, name: str, key: str, result: Result) -> None:
        """Keep a result: at the end it is on disk, and at no moment a part of it."""


@dataclass(frozen=True)
class Item(Generic[Result]):
    """One piece of work.

    `name` is its own in the batch, and `key` stands for all that the result is made of. `failed`
    makes a result of what `work` raises, so that no item harms another; what `failed` raises ends
    the batch.
    """

    name: str
    key: str
    work: Callable[[], Result]
    failed: Callable[[Exception], Result]


def run_batch(
    groups: Iterable[Iterable[Item[Result]]],
    store: ResultStore[Result],
    *,
    workers: int,
    progress: Callable[[Result], None],
    may_begin: Callable[[], bool] = lambda: True,
) -> Mapping[str, Result]:
    """Work on what has no result yet; results by the names of their items.

    Up to `workers` groups are worked on at the same time, the items of a group one after the other
    and made only then. `progress` is called in this thread with the results of each group that
    ends. An item that `may_begin` forbids to begin has no result. After an exception in this
    thread, Ctrl-C included, no item is begun; those that have begun end and are kept.
    """
    stopped = threading.Event()
    found: dict[str, Result] = {}

    def begins() -> bool:
        return not stopped.is_set() and may_begin()

    with ThreadPoolExecutor(max_workers=workers) as pool:
        try:
            waiting = [pool.submit(_results, group, store, begins) for group in groups]
            for ended in as_completed(waiting):
                for name, result in ended.result():
                    found[name] = result
                    progress(result)
        except BaseException:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return found


def _results(
    group: Iterable[Item[Result]], store: ResultStore[Result], begins: Callable[[], bool]
) -> list[tuple[str, Result]]:
    found = []
    for item in group:
        result = store.read(item.name, item.key)
        if result is None and begins():
            result = _result(item)
            store.write(item.name, item.key, result)
        if result is not None:
            found.append((item.name, result))
    return found


def _result(item: Item[Result]) -> Result:
    try:
        return item.work()
    except Exception as error:  # whatever it is
        return item.failed(error)


def shared(make: Callable[[], Value]) -> Callable[[], Value]:
    """What the items of a group have in common, made once and only if one of them asks for it.

    An error in making it comes to all that ask. Not for several threads.
    """
    made: Future[Value] = Future()

    def get() -> Value:
        if not made.done():
            try:
                made.set_result(make())
            except Exception as error:  # whatever it is
                made.set_exception(error)
        return made.result()

    return get
