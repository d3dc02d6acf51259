"""A PostgreSQL beside the tests: what is asked for, and what is started."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from evaluator.environment.types import Service
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.python.environment.cluster import (
    SUPERUSER,
    Contents,
    cluster,
)
from evaluator.languages.python.environment.servers import NoServerError
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.languages.python.environment.uv import Uv
from evaluator.languages.python.environment.workflows import NAME, DatabaseInWorkflows

PROGRAM: Final = "fixgate-postgresql"
"""What the command of a service begins with that is one; what the cluster is to have follows."""
CLIENTS: Final = {
    "aiopg": "aiopg",
    "asyncpg": "asyncpg",
    "pg8000": "pg8000",
    "psqlpy": "psqlpy",
    "psycopg": "psycopg",
    "psycopg2": "psycopg2",
    "psycopg2-binary": "psycopg2",
    "psycopg2cffi": "psycopg2cffi",
    "pygresql": "pgdb",
}
"""Packages that connect to a server, and the modules that they are imported as."""
_USUAL_VARIABLES: Final = {"PGHOST": "127.0.0.1", "PGUSER": SUPERUSER}
"""For whom no workflow says more: some suites compare what they read with what they are told."""
_FIRST_WORDS: Final = (
    *("--no-psqlrc", "--quiet", "--host=127.0.0.1", "--port={port}"),
    *(f"--username={SUPERUSER}", f"--dbname={SUPERUSER}"),
    *("--command", 'CREATE ROLE "{user}" SUPERUSER LOGIN'),
)
"""Whoever runs the tests is another in each rerun; clients that read no PGUSER take that name."""
_WORD: Final = re.compile(rf"(role|database|extension)=({NAME})")
_REMEDY: Final = "write role=NAME, database=NAME and extension=NAME"


def postgresql(told: DatabaseInWorkflows) -> Service:
    """The service with what workflows have in it, on the port on which tests look for it."""
    kinds = {"role": told.roles, "database": told.databases, "extension": told.extensions}
    words = (f"{kind}={name}" for kind, names in kinds.items() for name in names)
    variables = told.variables or _USUAL_VARIABLES
    return Service("postgresql", (PROGRAM, *words), variables, told.port, optional=True)


def started(
    uv: Uv, service: Service, recipe: PythonRecipe, pins: Iterable[str], tree: Path
) -> Service:
    """The service as it is started, with a cluster to start from; it is not optional any more.

    An optional one is for who has a client of it, among `pins` or in the tree itself. Raises
    NoServerError where there can be none, and EnvironmentBuildError for words that say nothing.
    """
    if service.optional and not _has_client(recipe, pins, tree):
        raise NoServerError("nothing that is installed connects to it")
    found = cluster(uv, _contents(service))
    programs = found.programs
    return dataclasses.replace(
        service,
        command=(f"{programs}/postgres", "-D{directory}/data", "-p{port}", "-k{directory}"),
        check=(f"{programs}/psql", *_FIRST_WORDS),
        archive=str(found.archive),
        optional=False,
    )


def _has_client(recipe: PythonRecipe, pins: Iterable[str], tree: Path) -> bool:
    installed = {str(canonicalize_name(Requirement(pin).name)) for pin in pins}
    own = (tree / root / module for root in recipe.import_roots for module in CLIENTS.values())
    return bool(installed & CLIENTS.keys()) or any(map(Path.exists, own))


def _contents(service: Service) -> Contents:
    """What is asked for, by kind. Raises EnvironmentBuildError for any other word."""
    named: dict[str, list[str]] = {"role": [], "database": [], "extension": []}
    for word in service.command[1:]:
        match = _WORD.fullmatch(word)
        if match is None:
            raise EnvironmentBuildError(f"`{word}` says nothing of {service.name}; {_REMEDY}")
        named[match[1]].append(match[2])
    return Contents(*map(tuple, named.values()))
