"""A whole App against the simulated GitHub: real git, real sandbox, real store, no model."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from bot.demo.simulator import GitHubSimulator
from bot.github.api import Connection
from bot.github.app import AppClient, PrivateKey
from bot.github.client import InstalledGitHub
from bot.github.minter import Minter
from bot.github.types import Webhook
from bot.handlers import handle
from bot.jobs.reproduce import reproduce
from bot.jobs.services import Services, workspaces
from bot.jobs.types import JobKind, JobState
from bot.jobs.verify import verify
from bot.store import Store
from evaluator.demo.sample import lay_sample
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.workspace import Workspace, WorkspaceSettings

REPOSITORY = "alice/wordtools"
EVERYTHING = "reproduce:\n  when: all\n  labels: true\n"
SCRIPT = """`shorten` cuts texts that fit:

```python
>>> from wordtools.shorten import shorten
>>> shorten("just fits", 9)
'just f...'
```

The text has exactly nine characters, so the result should be `'just fits'`.
"""
"""An issue that says what comes out, and what should."""


class Waiting:
    """A queue that waits until the story works it off."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.stopped: list[str] = []

    def enqueue(self, key: str) -> None:
        if key not in self.keys:
            self.keys.append(key)

    def stop(self, key: str) -> None:
        self.stopped.append(key)
        self.keys = [waiting for waiting in self.keys if waiting != key]


class Story:
    """People, the App, and what is between them."""

    def __init__(self, github: GitHubSimulator, folder: Path, cache: Path) -> None:
        self.github = github
        self.events: list[Webhook] = []
        self.alice = github.add_user("alice")
        self.bob = github.add_user("bob")
        lay_sample(folder / "sample")
        self.tree = folder / "sample" / "repository"
        files = {**_files(self.tree), ".github/fixgate.yml": EVERYTHING.encode()}
        github.add_repository(REPOSITORY, files)
        github.grant(REPOSITORY, "bob", "read")
        self.services = self._app(folder, cache)

    def _app(self, folder: Path, cache: Path) -> Services:
        manifest = yaml.safe_load((Path(__file__).parents[2] / "app.yml").read_text())
        app = self.github.create_app(
            "fixgate",
            {**manifest["default_permissions"], "contents": "write"},
            manifest["default_events"],
            webhook_url=self._receiver(),
            owner="alice",
        )
        self.alice.install(app.app_id)
        connection = Connection(self.github.api_url, sleep=lambda _: None)
        key = PrivateKey(app.private_key.encode(), "test")
        settings = WorkspaceSettings((), cache, ResourceLimits(wall_seconds=60), offline=True)
        self.queue = Waiting()
        store = Store(f"sqlite:///{folder / 'store.db'}")
        store.database.migrate()
        return Services(
            store=store,
            github=InstalledGitHub(Minter(AppClient(app.client_id, key, connection)), connection),
            queue=self.queue,
            data=folder / "data",
            workspace=workspaces(settings, lambda s: Workspace(s, choose_sandbox("bubblewrap"))),
            reruns=1,
        )

    def _receiver(self) -> str:
        story = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers["Content-Length"])).decode()
                action = json.loads(text).get("action", "")
                name, delivery = self.headers["X-GitHub-Event"], self.headers["X-GitHub-Delivery"]
                story.events.append(Webhook(delivery, name, action, text))
                self.send_response(202)
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.services.store.database.engine.dispose()

    def plan(self) -> list[str]:
        """Handle all events that came; the keys of the jobs that wait."""
        self.github.settle()
        while self.events:
            handle(self.events.pop(0), self.services)
            self.github.settle()
        return self.queue.keys

    def work(self) -> None:
        """Handle all events and do all jobs, until nothing waits."""
        jobs = {JobKind.REPRODUCE: reproduce, JobKind.VERIFY: verify}
        while self.plan():
            key = self.queue.keys.pop(0)
            request = self.services.store.jobs.begin(key)
            assert request is not None
            jobs[request.kind](self.services, request)
            self.services.store.jobs.finish(key, JobState.DONE)

    def comments(self, number: int) -> list[str]:
        issue = self.github.repository(REPOSITORY).issues[number]
        return [comment.body for comment in issue.comments]

    def checks(self, commit: str) -> list[dict[str, object]]:
        runs = self.github.check_runs(REPOSITORY, commit)
        return [vars(run) for run in runs]


def _files(tree: Path) -> dict[str, bytes]:
    paths = (path for path in tree.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(tree).as_posix(): path.read_bytes() for path in paths}


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def story(tmp_path: Path, cache: Path) -> Iterator[Story]:
    with GitHubSimulator() as github:
        made = Story(github, tmp_path, cache)
        yield made
        made.close()
