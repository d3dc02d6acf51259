"""The whole App as one command: its processes as children, which end with it."""

from __future__ import annotations

import contextlib
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import click

from bot.errors import ConfigurationError
from bot.settings import Settings
from bot.settings import number as number_of
from bot.web.address import check_address
from evaluator.distributed.processes import LOOK_SECONDS, Child, Supervisor
from evaluator.distributed.redis_server import redis_child, wait_for_redis
from evaluator.storage import DirectoryLock

LONGEST_SOCKET_PATH = 100
"""Characters; the kernel allows 107 (unix(7))."""

_MODEL_KEYS = ("FIXGATE_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
_WEB = ("FIXGATE_WEBHOOK_SECRET", "FIXGATE_DASHBOARD_TOKEN", "FIXGATE_CLIENT_SECRET")
_MINTER = ("FIXGATE_PRIVATE_KEY_FILE",)
_ASKING = ("FIXGATE_MINTER_SECRET",)


def run_embedded(settings: Settings) -> None:
    """Run until SIGTERM or SIGINT; then all children are ended.

    Raises ConfigurationError where the directory of data or the port is in use, InputError where
    there is no Redis, or where a child does not stay alive.
    """
    with _only_one(settings.data), _place(settings) as place:
        check_address(settings.host, settings.port)
        environment, redis = _environment(settings, place)
        with Supervisor() as children:
            children.start(
                _child("web", environment, "serve", without=_MODEL_KEYS + _MINTER + _ASKING)
            )
            _wait_for_app(settings, children)
            if redis is not None:
                children.start(redis)
            wait_for_redis(environment["FIXGATE_REDIS_URL"], children)
            click.echo("Redis answers")
            for child in _others(environment):
                children.start(child)
            if settings.smee:
                secret = _WEB + _MINTER + _ASKING + _MODEL_KEYS
                children.start(_child("smee", environment, "smee", without=secret))
            children.watch()


def _only_one(data: Path) -> DirectoryLock:
    """The lock on a directory of data, whose files have one such command at a time."""
    try:
        return DirectoryLock.at_once(data)
    except BlockingIOError:
        raise ConfigurationError(
            f"another `fixgate serve --embedded` runs with {data}: stop that one, or name another "
            "directory as FIXGATE_DATA_DIRECTORY"
        ) from None


def _wait_for_app(settings: Settings, children: Supervisor) -> None:
    """Until the setup page has done its work."""
    while not settings.is_set_up:
        children.look()
        time.sleep(LOOK_SECONDS)


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
        "FIXGATE_SMEE": settings.smee,
        "FIXGATE_MINTER": settings.environment.get("FIXGATE_MINTER") or f"unix:{place}/minter.sock",
    }
    if not environment.get("FIXGATE_MINTER_SECRET"):
        environment["FIXGATE_MINTER_SECRET"] = secrets.token_hex(32)
    if environment.get("FIXGATE_REDIS_URL"):
        return environment, None
    socket = place / "redis.sock"
    environment["FIXGATE_REDIS_URL"] = f"unix://{socket}"
    return environment, redis_child(settings.data, socket)
