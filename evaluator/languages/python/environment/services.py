"""Services that tests need beside them: those that a project asks for, and those it can have."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from packaging.utils import canonicalize_name

from evaluator.environment.tools import ToolError
from evaluator.environment.types import AbsentService, Service
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.python.environment import postgresql
from evaluator.languages.python.environment.servers import (
    NoServerError,
    need_own_network,
    not_installed,
    said_inside,
)
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.languages.python.environment.uv import Uv
from evaluator.languages.python.environment.workflows import DatabaseInWorkflows

REDIS: Final = Service(
    name="redis",
    command=("redis-server", "--port", "{port}", "--save", "", "--loglevel", "warning"),
    port=6379,
    optional=True,
)
"""On its usual port, where suites look for it that say nothing else."""
_SERVERS: Final = {"redis": REDIS}
"""By the name of the client, which is of no use to tests without its server."""


def services_for(names: Iterable[str], told: DatabaseInWorkflows) -> tuple[Service, ...]:
    """The servers that clients among a project and its requirements may ask for in tests.

    Those that workflows have are proposed too: their clients may be what a requirement requires.
    """
    known = {str(canonicalize_name(name)) for name in names}
    servers = tuple(service for client, service in _SERVERS.items() if client in known)
    wanted = told.used or known & postgresql.CLIENTS.keys()
    return (*servers, postgresql.postgresql(told)) if wanted else servers


@dataclass(frozen=True)
class PreparedServices:
    """Services as they are started, by name, those that cannot be, and where clusters lie."""

    started: Mapping[str, Service] = field(default_factory=dict)
    absent: tuple[AbsentService, ...] = ()

    @property
    def places(self) -> tuple[Path, ...]:
        """The directories that the sandbox is to show."""
        return tuple(Path(each.archive).parent for each in self.started.values() if each.archive)

    @property
    def parts(self) -> tuple[object, ...]:
        """What runs depend on beside the recipe: which of its services they had."""
        names = (sorted(self.started), sorted(each.name for each in self.absent))
        return names if any(names) else ()


def prepared_services(
    uv: Uv, recipe: PythonRecipe, pins: Iterable[str], tree: Path, programs: Path
) -> PreparedServices:
    """Those services of a recipe that are PostgreSQL's or optional, as far as they can be had.

    `programs` is where the programs of the environment lie, which may bring a server. Raises
    EnvironmentBuildError where one that is not optional cannot be had.
    """
    started: dict[str, Service] = {}
    absent: list[AbsentService] = []
    for service in recipe.services:
        try:
            if _is_postgresql(service):
                started[service.name] = postgresql.started(uv, service, recipe, pins, tree)
            elif service.optional:
                started[service.name] = _installed(uv, service, programs)
        except NoServerError as error:
            absent.append(_absent(service, error, recipe))
    return PreparedServices(started, tuple(absent))


def _is_postgresql(service: Service) -> bool:
    return service.command[:1] == (postgresql.PROGRAM,)


def _installed(uv: Uv, service: Service, programs: Path) -> Service:
    """The service, whose program has the name of the package that brings it.

    Not optional any more: on one side of a change alone, its absence would decide. Raises
    NoServerError where the program is not there.
    """
    need_own_network(uv.sandbox)
    program = service.command[0]
    if not (programs / program).exists() and not _is_there(uv, program):
        raise not_installed(program)
    return dataclasses.replace(service, optional=False)


def _is_there(uv: Uv, program: str) -> bool:
    try:
        return bool(said_inside(uv.sandbox, 'command -v "$1"', program))
    except ToolError:
        return False


def _absent(service: Service, error: NoServerError, recipe: PythonRecipe) -> AbsentService:
    if service.optional:
        return AbsentService(service.name, str(error))
    message = f"the service {service.name} cannot be had: {error}"
    raise EnvironmentBuildError(message, recipe=str(recipe)) from error
