"""Options of commands whose work can be spread over many hosts, and the carrier they ask for."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from rich.console import Console

from evaluator.commands.options import workspace_settings
from evaluator.errors import InputError
from evaluator.workspace import Workspace

if TYPE_CHECKING:  # most commands need no queue
    from evaluator.distributed.batch_worker import BatchWorkerSettings
    from evaluator.distributed.carrier import QueueCarrier

Function = TypeVar("Function", bound=Callable[..., Any])

EMBEDDED: Final = "embedded"
shared_option = click.option(
    "--shared",
    metavar="PLACE",
    help="Directory that workers and command see alike, or s3://BUCKET/...: what lies beside "
    "results goes through it [default: `batch` in --cache].",
)
_QUEUE = click.option(
    "--queue",
    "queue_url",
    metavar="URL",
    help="Spread the work over `fixgate worker --queues batch` on any number of hosts, by the "
    "Redis at redis://... or rediss://...; `embedded` starts a Redis and --workers workers here.",
)


def queue_options(command: Function) -> Function:
    """Add the options that `chosen_carrier` takes as a `QueueChoice`."""
    return _QUEUE(shared_option(command))


@dataclass(frozen=True)
class QueueChoice:
    """What a user says of the queue, and what workers that are started here need to know."""

    url: str | None
    shared: str | None
    workers: int
    repos: tuple[str, ...]
    options: Mapping[str, Any]
    kinds: Mapping[str, str]

    def settings(self, url: str) -> BatchWorkerSettings:
        """Those of a worker that has the options of this command."""
        options = {**self.options, "workers": self.workers}
        return worker_settings(url, self.shared, self.repos, self.kinds, **options)


@contextlib.contextmanager
def chosen_carrier(
    choice: QueueChoice, bench: Workspace, console: Console
) -> Iterator[QueueCarrier | None]:
    """Yields who carries out the work: None where this process is to do it.

    Raises InputError where no Redis answers. Workers that are started end with the `with`.
    """
    if choice.url is None:
        if choice.shared is not None:
            raise InputError("--shared belongs to --queue: name that too")
        yield None
    elif choice.url == EMBEDDED:
        from evaluator.distributed.embedded import embedded_queue

        with embedded_queue(choice.settings, choice.workers) as (url, children):
            yield _carrier(choice, url, bench, console, children.look)
    else:
        yield _carrier(choice, choice.url, bench, console)


def _carrier(
    choice: QueueChoice,
    url: str,
    bench: Workspace,
    console: Console,
    look: Callable[[], None] = lambda: None,
) -> QueueCarrier:
    from evaluator.distributed.carrier import QueueCarrier
    from evaluator.distributed.connections import retrying
    from evaluator.distributed.shared_files import shared_files

    def tell(sentence: str) -> None:
        console.print(sentence, highlight=False, markup=False)

    check_answers(url)
    shared = shared_files(_shared_place(choice.shared, bench.cache), bench.cache)
    shared.check()
    return QueueCarrier(retrying(url), shared, bench.limits, tell, look)


def check_answers(url: str) -> None:
    """Raise InputError where the address is none, or no Redis answers there."""
    from evaluator.distributed.connections import answers, failing_fast

    try:
        connection = failing_fast(url)
    except ValueError as error:
        raise InputError(f"{url!r} names no Redis: {error}") from error
    if not answers(connection):
        place = url.rpartition("@")[2].rpartition("://")[2]
        raise InputError(f"no Redis answers at {place}: is it running?")
    connection.close()


def worker_settings(
    url: str,
    shared: str | None,
    repos: tuple[str, ...],
    kinds: Mapping[str, str],
    *,
    sandbox_name: str,
    image: str,
    runtime: str,
    **options: Any,
) -> BatchWorkerSettings:
    """The settings of a worker from the options of `workspace_options`; limits come with tasks."""
    from evaluator.distributed.batch_worker import BatchWorkerSettings

    own = workspace_settings(repos, **options)
    place = _shared_place(shared, own.cache)
    return BatchWorkerSettings(url, place, kinds, own, sandbox_name, image, runtime)


def _shared_place(named: str | None, cache: Path) -> str:
    if named is not None and "://" in named:
        return named
    return str(Path(named or cache / "batch").resolve())
