"""The App as it is deployed: every part a process, which can be killed, and is started again."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import requests

from bot.demo.simulator import GitHubSimulator
from bot.demo.simulator.records import AppSecrets
from bot.store import Store
from evaluator.distributed.processes import Child, Supervisor

MOST_KILLS, WITHIN_SECONDS = 3, 65.0
"""So often may one process be killed within some time: its supervisor takes no more."""
_START_SECONDS = 60.0
_SHOWN = 2000


@dataclass(frozen=True)
class Size:
    """How many processes there are, and how often (seconds) they tell of themselves and look."""

    quick: int = 4
    long: int = 5
    beat: int = 2
    sweep: float = 2.0
    ask: float = 15.0


@dataclass
class Deployment:
    """Redis, the store, web, minter, workers and sweeper below `folder`, from `with` to its end.

    `database` is "sqlite" or "postgresql".
    """

    folder: Path
    port: int
    size: Size
    database: str = "sqlite"
    kills: dict[str, list[float]] = field(default_factory=dict)

    def start(self, github: GitHubSimulator, app: AppSecrets) -> None:
        """Start everything, as `fixgate serve --embedded` would; all of it ends where a part fails.

        Raises TimeoutError, with the end of every log, where something does not answer, and
        InputError where it ends again and again.
        """
        self.folder.joinpath("data").mkdir(parents=True)
        self.folder.joinpath("redis").mkdir()
        (self.folder / "key.pem").write_text(app.private_key)
        self._environment = self._made(github, app)
        self.children = Supervisor()
        with contextlib.ExitStack() as failed:
            failed.callback(self.children.end)
            self._start_all()
            failed.pop_all()
        self.store = Store(self.database_url)

    def _start_all(self) -> None:
        if self.database == "postgresql":
            self._start_postgresql()
        self.children.start(self._redis())
        self._wait(lambda: self.redis_socket.exists(), "Redis")
        for child in self._parts():
            self.children.start(child)
        self._wait(self._answers, "the web")

    def end(self) -> None:
        """End everything in order; a second time does nothing."""
        self.children.end()
        self.store.database.engine.dispose()

    @property
    def redis_socket(self) -> Path:
        """Where Redis listens."""
        return self.folder / "redis.sock"

    @property
    def database_url(self) -> str:
        """The address of the store."""
        if self.database == "postgresql":
            host = self.folder / "postgres"
            return f"postgresql+psycopg://fixgate@/postgres?host={host}"
        return f"sqlite:///{self.folder / 'data' / 'fixgate.db'}"

    def names(self, kind: str) -> list[str]:
        """The processes of a kind ("quick", "long", "web", ...) that may be killed now."""
        now = time.monotonic()
        named = [name for name in self.children.pids if name.startswith(kind)]
        return [name for name in named if self._recent(name, now) < MOST_KILLS]

    def kill(self, name: str, signal_number: int) -> None:
        """Send a signal to a part; it is started again by its supervisor."""
        self.kills.setdefault(name, []).append(time.monotonic())
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.children.pids[name], signal_number)

    def horses(self) -> list[psutil.Process]:
        """The processes in which workers do tasks right now."""
        found: list[psutil.Process] = []
        for name, pid in self.children.pids.items():
            if name.startswith(("quick", "long")):
                with contextlib.suppress(psutil.Error):
                    found.extend(psutil.Process(pid).children())
        return found

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else can write to the store (SQLite)."""
        path = self.database_url.removeprefix("sqlite:///")
        with contextlib.closing(sqlite3.connect(path, timeout=60, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            yield
            holder.execute("ROLLBACK")

    def _recent(self, name: str, now: float) -> int:
        return sum(now - then < WITHIN_SECONDS for then in self.kills.get(name, ()))

    def _made(self, github: GitHubSimulator, app: AppSecrets) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", str(self.folder)),
            "FIXGATE_DATA_DIRECTORY": str(self.folder / "data"),
            "FIXGATE_DATABASE_URL": self.database_url,
            "FIXGATE_REDIS_URL": f"unix://{self.redis_socket}",
            "FIXGATE_HOST": "127.0.0.1",
            "FIXGATE_PORT": str(self.port),
            "FIXGATE_PUBLIC_URL": f"http://127.0.0.1:{self.port}",
            "FIXGATE_API_URL": github.api_url,
            "FIXGATE_WEBHOOK_SECRET": app.webhook_secret,
            "FIXGATE_CLIENT_ID": app.client_id,
            "FIXGATE_PRIVATE_KEY_FILE": str(self.folder / "key.pem"),
            "FIXGATE_MINTER": f"unix:{self.folder / 'minter.sock'}",
            "FIXGATE_MINTER_SECRET": secrets.token_hex(32),
            "FIXGATE_SANDBOX": "bubblewrap",
            "FIXGATE_OFFLINE": "1",
            "FIXGATE_RERUNS": "1",
            "FIXGATE_TEST_SECONDS": "60",
            "FIXGATE_BEAT_SECONDS": str(self.size.beat),
        }

    def _parts(self) -> Iterator[Child]:
        size = self.size
        yield self._child("web", "serve")
        yield self._child("minter", "minter")
        for kind, count in (("quick", size.quick), ("long", size.long)):
            for number in range(count):
                yield self._child(f"{kind} {number + 1}", "worker", "--queue", kind)
        pace = ("--every", str(size.sweep), "--ask-every", str(size.ask))
        yield self._child("sweeper", "sweep", *pace)

    def _child(self, name: str, *what: str) -> Child:
        return self._logged(name, (sys.executable, "-m", "bot", *what))

    def _logged(self, name: str, arguments: tuple[str, ...], *, last: bool = False) -> Child:
        """A child whose words go to a file of its own."""
        log = str(self.folder / f"{name.replace(' ', '-')}.log")
        shell = ("sh", "-c", 'exec "$@" >>"$0" 2>&1', log)
        return Child(name, (*shell, *arguments), self._environment, ends_last=last)

    def _redis(self) -> Child:
        options = {
            "port": "0",
            "unixsocket": str(self.redis_socket),
            "dir": str(self.folder / "redis"),
            "appendonly": "yes",
            "save": "",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return self._logged("redis", ("redis-server", *words), last=True)

    def _start_postgresql(self) -> None:
        """As somebody else where this is root, which PostgreSQL refuses."""
        data, place = self.folder / "postgres" / "data", self.folder / "postgres"
        place.mkdir()
        user: tuple[str, ...] = ()
        if os.getuid() == 0:
            user = ("setpriv", "--reuid=nobody", "--clear-groups", "--")
            shutil.chown(place, "nobody")
            for folder in (self.folder, *self.folder.parents):
                if folder.owner() == "root" and folder.stat().st_mode & 0o001 == 0:
                    folder.chmod(folder.stat().st_mode | 0o011)
        make = ("initdb", "--auth=trust", "--username=fixgate", "--encoding=UTF8", str(data))
        subprocess.run((*user, *make), check=True, stdout=subprocess.DEVNULL, cwd="/")
        serve = ("postgres", "-D", str(data), "-k", str(place), "-h", "")
        self.children.start(self._logged("postgresql", (*user, *serve), last=True))
        self._wait(lambda: Store(self.database_url).database.answers(), "PostgreSQL")

    def _answers(self) -> bool:
        try:
            return requests.get(f"http://127.0.0.1:{self.port}/healthz", timeout=5).ok
        except requests.RequestException:
            return False

    def _wait(self, done: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not done():
            self.children.look()
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what} does not answer:\n{self._logs()}")
            time.sleep(0.1)

    def _logs(self) -> str:
        """The end of each log, as nobody can look into the folder afterwards on another machine."""
        logs = sorted(self.folder.glob("*.log"))
        return "\n".join(f"{log.name}: {log.read_text()[-_SHOWN:]}" for log in logs)
