"""Who takes the deliveries: fixgate as deployed, a Probot app that only logs, a sink."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psutil
import sqlalchemy as sa
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from redis import Redis

from bot.store import Store
from bot.store.tables import Delivery
from tests.load.client import Sent
from tests.load.deliveries import Target
from tests.ports import free_port

SECRET = "the-webhook-secret-under-load"
PACKAGES = {"node": "22.23.3", "probot": "14.3.2"}
"""Of npm; Probot 14 needs a Node that few distributions have, so it comes along."""
_LOGGING_APP = """\
import { run } from "probot";
run((app) => {
  app.onAny(async (context) => app.log.info({ delivery: context.id }, `took ${context.name}`));
});
"""


class Server(Protocol):
    """What is measured."""

    @property
    def name(self) -> str:
        """What tables call it."""
        ...

    @property
    def target(self) -> Target:
        """Where deliveries are sent."""
        ...

    def processor_seconds(self) -> float:
        """What its processes have used so far."""
        ...

    def complaints(self, sent: Sequence[Sent]) -> list[str]:
        """What is wrong after all rounds: what was answered and is lost, or doubled."""
        ...


class _Started:
    """Processes that end with it."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, command: Sequence[str | Path], log: Path, **more: object) -> None:
        with log.open("ab") as file:
            made = subprocess.Popen(command, stdout=file, stderr=file, **more)  # type: ignore[call-overload]
        self.processes.append(made)

    def processor_seconds(self) -> float:
        everyone = [psutil.Process(one.pid) for one in self.processes]
        everyone += [child for one in everyone for child in one.children(recursive=True)]
        return sum(sum(one.cpu_times()[:2]) for one in everyone)

    def end(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
            process.wait(30)


@dataclass(frozen=True)
class Fixgate:
    """The web process, its store in SQLite, and a Redis that keeps an append-only file."""

    target: Target
    folder: Path
    started: _Started
    name: str = "fixgate"

    def processor_seconds(self) -> float:
        return self.started.processor_seconds()

    def complaints(self, sent: Sequence[Sent]) -> list[str]:
        taken = {guid for one in sent for guid, status, _ in one.answers if status == 202}
        kept, queued = Counter(self.kept()), Counter(self._queued())
        return [
            f"{len(wrong)} deliveries {what}, {sorted(wrong)[0]} for one"
            for what, wrong in {
                "were answered and are not in the store": taken - kept.keys(),
                "are in the store and not in the queue": kept.keys() - queued.keys(),
                "are queued and not in the store": queued.keys() - kept.keys(),
                "are queued twice": {guid for guid, count in queued.items() if count > 1},
            }.items()
            if wrong
        ]

    def kept(self) -> Sequence[str]:
        """The ids in the store."""
        store = Store(f"sqlite:///{self.folder}/data/fixgate.db")
        with store.database.session() as session:
            found = session.scalars(sa.select(Delivery.id)).all()
        store.database.engine.dispose()
        return found

    def _queued(self) -> Sequence[str]:
        with Redis(unix_socket_path=str(self.folder / "redis.sock")) as redis:
            waiting = redis.lrange("rq:queue:quick", 0, -1)
        return [one.decode().removeprefix("handle-") for one in waiting]


@contextlib.contextmanager
def fixgate(folder: Path, **more: str) -> Iterator[Fixgate]:
    """`fixgate serve`, with its Redis; `more` are settings."""
    port, started = free_port(), _Started()
    data, redis = folder / "data", folder / "redis.sock"
    data.mkdir(parents=True)
    options = ("--port", "0", "--unixsocket", redis, "--appendonly", "yes", "--save", "")
    environment = {
        "PATH": os.environ["PATH"],
        "FIXGATE_DATA_DIRECTORY": str(data),
        "FIXGATE_PORT": str(port),
        "FIXGATE_WEBHOOK_SECRET": SECRET,
        "FIXGATE_REDIS_URL": f"unix://{redis}",
        **more,
    }
    try:
        started.start(("redis-server", "--dir", folder, *options), folder / "redis.log")
        serve = (sys.executable, "-m", "bot", "serve")
        started.start(serve, folder / "fixgate.log", env=environment)
        _wait_for(port, started)
        yield Fixgate(Target(port, "/webhook", SECRET), folder, started)
    finally:
        started.end()


@dataclass(frozen=True)
class Other:
    """A server of which nothing is asked afterwards but how many deliveries its log tells."""

    name: str
    target: Target
    started: _Started
    log: Path | None = None

    def processor_seconds(self) -> float:
        return self.started.processor_seconds()

    def complaints(self, sent: Sequence[Sent]) -> list[str]:
        if self.log is None:
            return []
        taken = sum(status == 200 for one in sent for _, status, _ in one.answers)
        logged = self.log.read_text().count('"took issues"')
        return [] if taken == logged else [f"{taken} deliveries were answered, {logged} logged"]


@contextlib.contextmanager
def probot(folder: Path) -> Iterator[Other]:
    """A Probot app that logs each delivery. Raises CalledProcessError where npm cannot get it."""
    _install(folder)
    port, started = free_port(), _Started()
    environment = {
        "PATH": os.environ["PATH"],
        "PORT": str(port),
        "APP_ID": "1",
        "PRIVATE_KEY": _private_key(),
        "WEBHOOK_SECRET": SECRET,
        "NODE_ENV": "production",
        "LOG_LEVEL": "info",
    }
    log = folder / "probot.log"
    try:
        program = (folder / "node_modules" / ".bin" / "node", "app.js")
        started.start(program, log, env=environment, cwd=folder)
        _wait_for(port, started)
        yield Other("probot", Target(port, "/api/github/webhooks", SECRET), started, log)
    finally:
        started.end()


@contextlib.contextmanager
def trivial(folder: Path) -> Iterator[Other]:
    """One that only answers."""
    port, started = free_port(), _Started()
    try:
        command = (sys.executable, "-m", "tests.load.trivial", str(port))
        started.start(command, folder / "trivial.log")
        _wait_for(port, started)
        yield Other("sink", Target(port, "/", SECRET), started)
    finally:
        started.end()


def why_no_probot() -> str:
    """What is missing to compare with Probot; "" where nothing is."""
    return "" if shutil.which("npm") else "npm is not installed: apt-get install npm"


def _install(folder: Path) -> None:
    folder.mkdir()
    manifest: Mapping[str, object] = {"type": "module", "dependencies": PACKAGES}
    (folder / "package.json").write_text(json.dumps(manifest))
    (folder / "app.js").write_text(_LOGGING_APP)
    quietly = ("--no-audit", "--no-fund", "--loglevel=error")
    subprocess.run(["npm", "install", *quietly], cwd=folder, check=True)


def _private_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def _wait_for(port: int, started: _Started) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and started.processes[-1].poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise RuntimeError(f"{started.processes[-1].args!r} does not listen")
