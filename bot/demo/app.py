"""The App in one process, without Redis: its web server in a thread, its work done when asked."""

from __future__ import annotations

import contextlib
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from bot.demo.simulator import AppSecrets, GitHubSimulator
from bot.github.api import Connection
from bot.github.app import AppClient, PrivateKey
from bot.github.client import InstalledGitHub
from bot.github.manifest import load_manifest
from bot.github.minter import Minter
from bot.github.types import Webhook
from bot.handlers import handle
from bot.jobs.run import run_job
from bot.jobs.services import Services
from bot.jobs.types import JobState
from bot.queue import JobQueue
from bot.serving import HttpServer, tcp_sockets
from bot.settings import settings_from
from bot.store import Store
from bot.web import make_app
from evaluator import FixgateError, Workspace


class DemoError(FixgateError):
    """The demo did not come out as it should."""


class OwnQueue(JobQueue):
    """A queue of one process that does its own work."""

    def __init__(self) -> None:
        self.deliveries: deque[str] = deque()
        self.jobs: deque[str] = deque()

    def enqueue(self, key: str) -> None:
        """Remember a job."""
        if key not in self.jobs:
            self.jobs.append(key)

    def deliver_all(self, deliveries: Iterable[str]) -> bool:
        """Remember deliveries."""
        self.deliveries.extend(deliveries)
        return True

    def conclude(self, key: str) -> None:
        """Nothing: no job of the demo is stopped."""

    def stop(self, key: str) -> None:
        """Forget a job; none runs while another is planned."""
        if key in self.jobs:
            self.jobs.remove(key)

    def lengths(self) -> Mapping[str, int]:
        """How much waits."""
        return {"quick": len(self.deliveries), "long": len(self.jobs)}

    def troubles(self) -> Sequence[str]:
        """None."""
        return ()

    def answers(self) -> bool:
        """It does."""
        return True


class DemoApp:
    """The App, registered with a simulated GitHub and served at `url`, from `with` to its end."""

    def __init__(
        self,
        github: GitHubSimulator,
        owner: str,
        data: Path,
        make_workspace: Callable[[Path], Workspace],
    ) -> None:
        """Registers the App as `owner`.

        `data` is an empty directory for all that it keeps; `make_workspace` makes the workspace of
        a mirror.
        """
        self._github = github
        self._queue = OwnQueue()
        self._sockets = tcp_sockets("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._sockets[0].getsockname()[1]}"
        self._serving = contextlib.ExitStack()
        self.dashboard_token = secrets.token_urlsafe(32)
        self.credentials = self._register(owner)
        self._store = Store(f"sqlite:///{data / 'fixgate.db'}")
        self._services = self._made(data, make_workspace)
        self._data = data

    def __enter__(self) -> DemoApp:
        """Begin to take webhooks."""
        self._store.database.migrate()
        settings = settings_from(
            {
                "FIXGATE_DATA_DIRECTORY": str(self._data),
                "FIXGATE_PUBLIC_URL": self.url,
                "FIXGATE_API_URL": self._github.api_url,
                "FIXGATE_WEBHOOK_SECRET": self.credentials.webhook_secret,
                "FIXGATE_DASHBOARD_TOKEN": self.dashboard_token,
            }
        )
        server = HttpServer(make_app(settings, self._store, self._queue), self._sockets)
        self._serving.enter_context(server.running())
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        self._serving.close()
        self._store.database.engine.dispose()

    def work(self) -> None:
        """Handle all that was delivered and do all jobs, until nothing waits. Raises DemoError."""
        while self._planned():
            key = self._queue.jobs.popleft()
            run_job(self._services, key)
            row = self._store.jobs.get(key)
            if row is None or row.state != JobState.DONE:
                raise DemoError(f"the job {key} did not end well: {row.message if row else 'lost'}")

    def _planned(self) -> bool:
        self._github.settle()
        while self._queue.deliveries:
            row = self._store.deliveries.get(self._queue.deliveries.popleft())
            assert row is not None  # it was written down before it was queued
            handle(Webhook(row.id, row.event, row.action, row.payload), self._services)
            self._store.deliveries.handled(row.id)
            self._github.settle()
        return bool(self._queue.jobs)

    def _register(self, owner: str) -> AppSecrets:
        manifest = load_manifest()
        return self._github.create_app(
            manifest["name"],
            manifest["default_permissions"],
            manifest["default_events"],
            webhook_url=f"{self.url}/webhook",
            owner=owner,
            url=self.url,
        )

    def _made(self, data: Path, make_workspace: Callable[[Path], Workspace]) -> Services:
        connection = Connection(self._github.api_url)
        key = PrivateKey(self.credentials.private_key.encode(), "the demo's own key")
        app = AppClient(self.credentials.client_id, key, connection)
        return Services(
            store=self._store,
            github=InstalledGitHub(Minter(app), connection),
            queue=self._queue,
            data=data,
            workspace=make_workspace,
            public_url=self.url,
        )
