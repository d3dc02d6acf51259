"""What a request finds of the simulator that serves it."""

from __future__ import annotations

from dataclasses import dataclass, field

import flask

from bot.demo.simulator.api.meter import Meter
from bot.demo.simulator.world import World

KEY = "fixgate.simulator"


@dataclass(frozen=True)
class Exchange:
    """A request that was answered: for tests to look at."""

    method: str
    path: str
    status: int


@dataclass(frozen=True)
class Simulation:
    """One simulator; several in one process share the application, which is slow to make."""

    world: World
    meter: Meter
    exchanges: list[Exchange] = field(default_factory=list)


def current() -> Simulation:
    """The simulator whose request is being answered."""
    state: Simulation = flask.request.environ[KEY]
    return state
