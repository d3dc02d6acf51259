"""Works on many items: in parallel, resumable, one result an item.

Each result is on disk as soon as there is one, so that a batch which was stopped or killed at any
moment goes on from there when it is started again.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

Result = TypeVar("Result")
Value = TypeVar("Value")


class ResultStore(Protocol[Result]):
    """Keeps results by the names of their items. Safe to share between threads."""

    def read(self, name: str, key: str) -> Result | None:
        """The result that was made with the same inputs (`key`); None where it is still to do."""

    def write(self, name: str, key: str, result: Result) -> None:
        """Keep a result: at the end it is on disk, and at no moment a part of it."""


@dataclass(frozen=True)
class RemoteForm(Generic[Result]):
    """An item as data, by which a process elsewhere can make it anew and work on it.

    `kind` says how, and `inputs` (JSON types) of what; `common` is what the items of a group share.
    Items of one `affinity` need the same things on disk, and are best done by the same host.
    `read` makes a result of what came back. `files`, a path under `directory`, is what the work
    leaves beside its result; None where that is nothing.
    """

    kind: str
    affinity: str
    common: Callable[[], object]
    inputs: Callable[[], object]
    read: Callable[[Any], Result]
    directory: Path = Path()
    files: Path | None = None


@dataclass(frozen=True)
class Item(Generic[Result]):
    """One piece of work.

    `name` is its own in the batch, and `key` stands for all that the result is made of. `failed`
    makes a result of what `work` raises, so that no item harms another; what `failed` raises ends
    the batch. What has no `remote` form is always worked on here; it should be quick.
    """

    name: str
    key: str
    work: Callable[[], Result]
    failed: Callable[[Exception], Result]
    remote: RemoteForm[Result] | None = None


class Carrier(Protocol):
    """Who carries out the items: threads of this process, or workers on many hosts."""

    def carry(
        self,
        groups: Iterable[Iterable[Item[Result]]],
        store: ResultStore[Result],
        may_begin: Callable[[], bool],
    ) -> Generator[tuple[str, Result], None, None]:
        """Names and results of all items that have or get one, each kept in `store` before.

        No item that `may_begin` forbids is begun, and none once the generator is closed.
        """


def run_batch(
    groups: Iterable[Iterable[Item[Result]]],
    store: ResultStore[Result],
    *,
    workers: int,
    progress: Callable[[Result], None],
    may_begin: Callable[[], bool] = lambda: True,
    carrier: Carrier | None = None,
) -> Mapping[str, Result]:
    """Work on what has no result yet; results by the names of their items.

    Up to `workers` groups are worked on at the same time, the items of a group one after the other
    and made only then; a `carrier` does it in its own way. `progress` is called in this thread with
    the results of each group that ends. An item that `may_begin` forbids to begin has no result.
    After an exception in this thread, Ctrl-C included, no item is begun; those that have begun end
    and are kept.
    """
    found: dict[str, Result] = {}
    carried = (carrier or Threads(workers)).carry(groups, store, may_begin)
    with contextlib.closing(carried):
        for name, result in carried:
            found[name] = result
            progress(result)
    return found


@dataclass(frozen=True)
class Threads:
    """Carries items out in this process, so many groups at the same time."""

    workers: int

    def carry(
        self,
        groups: Iterable[Iterable[Item[Result]]],
        store: ResultStore[Result],
        may_begin: Callable[[], bool],
    ) -> Generator[tuple[str, Result], None, None]:
        """See `Carrier`."""
        stopped = threading.Event()

        def begins() -> bool:
            return not stopped.is_set() and may_begin()

        with ThreadPoolExecutor(max_workers=self.workers) as pool:
            try:
                waiting = [pool.submit(_results, group, store, begins) for group in groups]
                for ended in as_completed(waiting):
                    yield from ended.result()
            except BaseException:
                stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _results(
    group: Iterable[Item[Result]], store: ResultStore[Result], begins: Callable[[], bool]
) -> list[tuple[str, Result]]:
    found = []
    for item in group:
        result = store.read(item.name, item.key)
        if result is None and begins():
            result = result_of(item)
            store.write(item.name, item.key, result)
        if result is not None:
            found.append((item.name, result))
    return found


def result_of(item: Item[Result]) -> Result:
    """What comes of an item that is worked on now; raises what its `failed` raises."""
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
