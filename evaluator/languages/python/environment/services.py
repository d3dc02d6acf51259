"""Services that tests need beside them, told from what a project depends on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from packaging.utils import canonicalize_name

from evaluator.environment.types import Service
from evaluator.languages.python.environment.postgresql import CLIENTS, postgresql
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
    return (*servers, postgresql(told)) if told.used or known & CLIENTS.keys() else servers
