"""The cluster that a PostgreSQL beside tests starts from.

It takes a second of a processor to make, and a twentieth to unpack: so it is made once, in the
sandbox and by the programs that are installed there, with the roles, databases and extensions that
are asked for. Their names are all that comes from a repository.
"""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Final

from evaluator.environment.tools import BUILD_LIMITS, ToolError, at_own_path, run_command
from evaluator.languages.python.environment.servers import (
    NoServerError,
    need_own_network,
    not_installed,
    said_inside,
)
from evaluator.languages.python.environment.uv import Uv
from evaluator.sandbox.protocol import Command, Mount
from evaluator.storage.keys import short_key
from evaluator.storage.once import make_once

SUPERUSER: Final = "postgres"
_PRESENT: Final = frozenset({SUPERUSER, "template0", "template1"})
_SETTINGS: Final = """
autovacuum = off
fsync = off
full_page_writes = off
jit = off
listen_addresses = '127.0.0.1,::1'
log_min_messages = fatal
log_timezone = 'UTC'
max_prepared_transactions = 10
max_wal_size = 128MB
min_wal_size = 4MB
shared_buffers = 32MB
synchronous_commit = off
timezone = 'UTC'
"""
"""Nothing needs to outlive a run, and nothing is done at times of its own."""
_INITDB: Final = (
    "--no-sync --auth=trust --encoding=UTF8 --locale=C.UTF-8 --wal-segsize=1"
    f" --username={SUPERUSER} --pgdata=data"
).split()
_DOCKER: Final = "docker"
_FIND: Final = """
for each in "$(command -v postgres)" /usr/lib/postgresql/*/bin/postgres /usr/pgsql-*/bin/postgres
do if [ -x "$each" ]; then "$each" --version; dirname "$(readlink -f "$each")"; fi; done
"""
"""Debian and Red Hat have a directory for each version, and at most links to it on the PATH."""
_SPEAK: Final = 'exec "$0" --single -D data "$1" < "$2" > said.txt'


@dataclass(frozen=True)
class Contents:
    """Names of what a cluster has beside what each has. They hold no double quote."""

    roles: tuple[str, ...] = ()
    databases: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()

    def statements(self) -> Iterator[tuple[str, str]]:
        """What makes them, each after the database in which it is said; extensions are in all."""
        databases = [name for name in self.databases if name not in _PRESENT]
        for name in (name for name in self.roles if name != SUPERUSER):
            yield SUPERUSER, f'CREATE ROLE "{name}" SUPERUSER LOGIN;'
        for name in databases:
            yield SUPERUSER, f'CREATE DATABASE "{name}";'
        for database in (SUPERUSER, *databases):
            for name in self.extensions:
                yield database, f'CREATE EXTENSION "{name}" CASCADE;'


@dataclass(frozen=True)
class Cluster:
    """Where the server's programs lie in the sandbox, and a tar file of its directory `data`."""

    programs: str
    archive: Path


def cluster(uv: Uv, contents: Contents) -> Cluster:
    """The cluster with these contents for the newest server that the sandbox has.

    What the server refuses to make is missing from it. Raises NoServerError, and SandboxError.
    """
    need_own_network(uv.sandbox)
    try:
        version, programs = _newest(said_inside(uv.sandbox, _FIND))
        parts = (uv.sandbox.name, version, programs, _INITDB, _SETTINGS)
        key = short_key(*parts, dataclasses.astuple(contents))
        shelf = uv.cache / "clusters"
        place = make_once(shelf, key, lambda place: _make(uv, programs, contents, place))
    except ToolError as error:
        raise NoServerError(_complaint(error)) from error
    return Cluster(programs, place / "cluster.tar")


def _newest(found: str) -> tuple[str, str]:
    """The version and the directory of a server, of which every two lines name one."""
    lines = found.splitlines()
    servers = list(zip(lines[::2], lines[1::2], strict=False))
    if not servers:
        raise not_installed("postgresql")
    return max(servers, key=lambda server: [*map(int, re.findall(r"\d+", server[0]))])


def _make(uv: Uv, programs: str, contents: Contents, place: Path) -> None:
    place.mkdir(mode=0o700)
    _run(uv, place, f"{programs}/initdb", *_INITDB)
    with (place / "data" / "postgresql.conf").open("a", encoding="utf-8") as file:
        file.write(_SETTINGS)
    for database, group in groupby(contents.statements(), itemgetter(0)):
        lines = [f"{statement}\n" for _, statement in group]
        (place / "statements.sql").write_text("".join(lines), encoding="utf-8")
        speak = ("/bin/sh", "-c", _SPEAK, f"{programs}/postgres", database, "statements.sql")
        _run(uv, place, *speak)
    _run(uv, place, "tar", "-cf", "cluster.tar", "data")
    shutil.rmtree(place / "data")


def _run(uv: Uv, place: Path, *words: str) -> None:
    mounts = (at_own_path(place, writable=True), *_user_database(uv, place))
    run_command(uv.sandbox, Command(words, str(place), mounts, limits=BUILD_LIMITS))


def _user_database(uv: Uv, place: Path) -> Iterator[Mount]:
    """For docker, where the user is the owner of what is mounted, of whom images need not know."""
    if uv.sandbox.name == _DOCKER:
        owner, users = place.stat(), place / "passwd"
        line = f"fixgate:x:{owner.st_uid}:{owner.st_gid}::{place}:/bin/sh\n"
        users.write_text(line, encoding="utf-8")
        yield Mount(users, PurePosixPath("/etc/passwd"))


def _complaint(error: ToolError) -> str:
    """Such as that initdb does not run as root, which it does in docker where fixgate does."""
    return "it cannot be prepared: " + " ".join(error.log.split("\n")[:3])
