"""A PostgreSQL of the tests' own; it can be stopped and started again."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa

_NOBODY = 65534
"""PostgreSQL refuses to run as root."""


def programs() -> Path | None:
    """Where PostgreSQL's programs lie: on the PATH, or where Debian has them; None without."""
    found = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return Path(found).resolve().parent
    return debian[-1].parent if debian else None


class PostgresServer:
    """A server that listens on a socket in its own directory, as a user without rights."""

    def __init__(self, folder: Path) -> None:
        found = programs()
        assert found is not None, "tests that need it are marked `postgres`"
        self._programs, self._folder = found, folder
        self._user = _NOBODY if os.geteuid() == 0 else os.geteuid()
        os.chown(folder, self._user, -1)
        options = ("--pgdata", folder / "data", "--username", "fixgate", "--auth", "trust")
        self._run("initdb", "--no-sync", "--encoding", "UTF8", *options).wait()
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0

    def start(self) -> None:
        """Start it, and wait until it answers."""
        where = ("-k", self._folder, "-c", "listen_addresses=")
        self._process = self._run("postgres", "-D", self._folder / "data", *where)
        for _ in range(600):
            probe = ("pg_isready", "--quiet", "--host", self._folder, "--dbname", "postgres")
            if self._run(*probe).wait() == 0:
                return
            time.sleep(0.05)
        raise RuntimeError((self._folder / "log").read_text())

    def stop(self) -> None:
        """End it as a restart does: who is connected is cut off."""
        if self._process is not None:
            self._process.send_signal(2)
            self._process.wait(60)
            self._process = None

    def new_database(self) -> str:
        """The URL of an empty database."""
        self._count += 1
        engine = sa.create_engine(self._url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(f"CREATE DATABASE test{self._count}")
        engine.dispose()
        return self._url(f"test{self._count}")

    def _url(self, database: str) -> str:
        host = quote(str(self._folder), safe="")
        return f"postgresql+psycopg://fixgate@/{database}?host={host}"

    def _run(self, program: str, *arguments: str | Path) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                (self._programs / program, *arguments),
                user=self._user,
                cwd=self._folder,
                stdout=log,
                stderr=log,
            )


@contextmanager
def postgres() -> Iterator[PostgresServer]:
    """A running server; its directory is one that a user without rights can reach."""
    with tempfile.TemporaryDirectory(prefix="fixgate-pg-") as folder:
        server = PostgresServer(Path(folder))
        server.start()
        yield server
        server.stop()
