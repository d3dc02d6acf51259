"""GitHub's own description of its API, as far as it is installed.

The typed models of the package `githubkit` are generated from the OpenAPI description that GitHub
publishes (https://github.com/github/rest-api-description). The package is large and only developers
of fixgate have it; without it everything here accepts everything, and the simulator's own rules
alone decide.
"""

from __future__ import annotations

import functools
import importlib.util
from typing import TYPE_CHECKING

from bot.demo.simulator.errors import MisfitError
from bot.demo.simulator.records import Json

if TYPE_CHECKING:
    from bot.demo.simulator.models import Operation


@functools.cache
def installed() -> bool:
    """Whether there is a description to check against."""
    return importlib.util.find_spec("githubkit") is not None


def operation(name: str) -> Operation | None:
    """The operation that GitHub calls "issues/create" or the like; None without a description."""
    if not installed() or "/" not in name:
        return None
    from bot.demo.simulator.models import described

    return described(name)


def check_event(event: str, action: str | None, payload: Json) -> None:
    """Raises MisfitError where a webhook's payload does not fit the description."""
    if not installed():
        return
    from bot.demo.simulator.models import complaint_about_event

    if complaint := complaint_about_event(event, action, payload):
        raise MisfitError(f"{event} {action or ''}: {complaint}")
