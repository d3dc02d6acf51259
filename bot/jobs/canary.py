"""A task that changes nothing: it shows that others can be done."""

from __future__ import annotations

from bot.errors import ConfigurationError
from bot.jobs.services import Services
from bot.queue import Lane


def canary(services: Services, lane: str) -> None:
    """Use what the tasks of a lane use: the store and, in the long one, the sandbox.

    Raises ConfigurationError where the store does not answer, SandboxError where no sandbox works.
    """
    if not services.store.database.answers():
        raise ConfigurationError("the store does not answer")
    if lane == Lane.LONG:
        services.workspace(services.data)
