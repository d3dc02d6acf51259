"""What workers call, by name. Everything else comes from the process that they run in."""

from __future__ import annotations

import logging
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from bot.errors import ForbiddenError, NotFoundError
from bot.github.models import PayloadError
from bot.github.types import Webhook
from bot.logs import about
from bot.settings import Settings
from bot.store import Store
from bot.telemetry import continued, span

MOST_ATTEMPTS: Final = 8
"""Attempts to handle a delivery: with the waits between them, some two hours."""
_HOPELESS = (PayloadError, ForbiddenError, NotFoundError)
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TaskFunctions:
    """What tasks are done with, by import path, imported by the process that does them.

    `services` makes the services from the settings, with a `store`; it is called once in every
    process, and processes are made for every task. `handle` takes an event and the services, `run`
    and `conclude` the services and a job's key, `canary` the services and the name of a queue.
    """

    settings: Settings
    services: str = "bot.assembly.services"
    handle: str = "bot.handlers.handle"
    run: str = "bot.jobs.run.run_job"
    conclude: str = "bot.jobs.run.conclude_job"
    canary: str = "bot.jobs.run.canary"

    def load(self) -> None:
        """Import everything. Raises ImportError or AttributeError."""
        for path in (self.services, self.handle, self.run, self.conclude, self.canary):
            found(path)


_work: list[TaskFunctions] = []


def prepare(work: TaskFunctions) -> None:
    """Say what the tasks of this process, and of those that it forks, are done with."""
    _work[:] = [work]


def handle_delivery(delivery: str) -> None:
    """Plan what a delivery asks for.

    A delivery that fails is tried again by the sweeper, but not forever; one that cannot be read,
    or is about a repository that the App may not see any more, not at all.
    """
    with about(delivery=delivery):
        services = _services()
        store: Store = services.store
        row = store.deliveries.get(delivery)
        if row is None or row.handled_at is not None:
            return
        attempts = store.deliveries.attempt(delivery)
        webhook = Webhook(row.id, row.event, row.action, row.payload, row.trace_context)
        named = {"fixgate.delivery": row.id, "fixgate.event": row.event}
        try:
            with continued(row.trace_context), span("handle", named):
                found(_work[0].handle)(webhook, services)
        except _HOPELESS as error:
            _log.warning("%s %s leads to nothing: %s", row.event, row.action, error)
        except Exception:
            if attempts < MOST_ATTEMPTS:
                raise
            _log.exception("%s %s is given up after %d attempts", row.event, row.action, attempts)
        store.deliveries.handled(delivery)


def run_job(key: str) -> None:
    """Do a job."""
    with about(job=key):
        found(_work[0].run)(_services(), key)


def conclude_job(key: str) -> None:
    """Show on GitHub how a job ended that could not do so itself."""
    with about(job=key):
        found(_work[0].conclude)(_services(), key)


def canary(queue: str) -> None:
    """Show that the tasks of a queue can be done."""
    found(_work[0].canary)(_services(), queue)


def found(path: str) -> Callable[..., Any]:
    """A function by its import path."""
    function: Callable[..., Any] = pkgutil.resolve_name(path)
    return function


def _services() -> Any:
    return found(_work[0].services)(_work[0].settings)
