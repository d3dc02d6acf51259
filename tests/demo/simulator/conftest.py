"""A simulated GitHub with an App on it, a server that takes webhooks, and clients."""

from __future__ import annotations

import functools
import hashlib
import hmac
import json
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import github as pygithub
import jwt
import pytest
import requests

from bot.demo.simulator import AppSecrets, GitHubSimulator, Person
from bot.demo.simulator.operations.apps import new_private_key

PERMISSIONS = {
    "issues": "write",
    "checks": "write",
    "pull_requests": "write",
    "contents": "write",
    "merge_queues": "read",
}
EVENTS = ("issues", "issue_comment", "pull_request", "push", "merge_group")
FILES = {"calc.py": "def add(a, b):\n    return a - b\n", "docs/guide.md": "# Guide\n"}


@dataclass(frozen=True)
class Hook:
    """A webhook as it arrived."""

    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> str:
        return self.headers["X-GitHub-Event"]

    @property
    def guid(self) -> str:
        return self.headers["X-GitHub-Delivery"]

    @property
    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = json.loads(self.body)
        return payload

    def signed_with(self, secret: str) -> bool:
        digest = hmac.new(secret.encode(), self.body, hashlib.sha256).hexdigest()
        return hmac.compare_digest(f"sha256={digest}", self.headers["X-Hub-Signature-256"])


@dataclass
class Receiver:
    """A real HTTP server that takes webhooks; `status`, `delay` and `gate` are how it answers."""

    status: int = 202
    delay: float = 0.0
    gate: threading.Event = field(default_factory=threading.Event)
    hooks: list[Hook] = field(default_factory=list)
    url: str = ""

    def named(self, event: str, action: str | None = None) -> list[Hook]:
        return [
            hook
            for hook in self.hooks
            if hook.event == event and hook.payload.get("action") == action
        ]

    def names(self) -> list[str]:
        parts = [(hook.event, hook.payload.get("action")) for hook in self.hooks]
        return [event if action is None else f"{event}.{action}" for event, action in parts]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """The server, until the context ends."""
    taken = Receiver()
    taken.gate.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.gate.wait(10)
            time.sleep(taken.delay)
            taken.hooks.append(Hook(dict(self.headers), body))
            self.send_response(taken.status)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *_: object) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    taken.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield taken
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as taken:
        yield taken


@dataclass(frozen=True)
class Client:
    """Plain HTTP with one token (or JSON web token, or nothing)."""

    url: str
    credential: str | None

    def __call__(self, method: str, path: str, **more: Any) -> requests.Response:
        headers = {"User-Agent": "tests", **more.pop("headers", {})}
        if self.credential is not None:
            headers.setdefault("Authorization", f"Bearer {self.credential}")
        with requests.Session() as session:
            session.trust_env = False
            url = path if path.startswith("http") else f"{self.url}{path}"
            return session.request(method, url, headers=headers, timeout=20, **more)


@dataclass(frozen=True)
class Studio:
    """alice owns alice/calc, where the App is installed; bob has write access, eve has none."""

    github: GitHubSimulator
    receiver: Receiver
    app: AppSecrets
    alice: Person
    bob: Person
    eve: Person
    installation: int
    repository: str = "alice/calc"

    def jwt(self, **claims: Any) -> str:
        now = int(time.time())
        given = {"iat": now - 60, "exp": now + 540, "iss": self.app.client_id, **claims}
        kept = {key: value for key, value in given.items() if value is not None}
        return jwt.encode(kept, self.app.private_key, algorithm="RS256")

    def token(self, **scope: Any) -> str:
        path = f"/app/installations/{self.installation}/access_tokens"
        answer = self.as_app("POST", path, json=scope)
        assert answer.status_code == 201, answer.text
        token: str = answer.json()["token"]
        return token

    @property
    def as_app(self) -> Client:
        return Client(self.github.api_url, self.jwt())

    def call(self, **scope: Any) -> Client:
        return Client(self.github.api_url, self.token(**scope))

    @property
    def anonymous(self) -> Client:
        return Client(self.github.api_url, None)

    def library(self) -> pygithub.Github:
        return pygithub.Github(
            base_url=self.github.api_url, auth=pygithub.Auth.Token(self.token()), retry=None
        )

    def repo(self) -> Any:
        return self.library().get_repo(self.repository)

    def pull(self, text: str = "def add(a, b):\n    return a + b\n", body: str = "") -> int:
        """The number of a new pull of bob's branch "fix"."""
        self.bob.push(self.repository, "fix", {"calc.py": text})
        return self.bob.open_pull(self.repository, "fix", "Fix add", body)


@functools.cache
def _key() -> str:
    """One for all tests: making one takes longer than most of them."""
    return new_private_key()


def build(github: GitHubSimulator, receiver: Receiver) -> Studio:
    alice, bob, eve = (github.add_user(login) for login in ("alice", "bob", "eve"))
    made = github.add_repository("alice/calc", FILES)
    github.grant("alice/calc", "bob", "write")
    assert made.private
    app = github.create_app(
        "fixgate",
        PERMISSIONS,
        EVENTS,
        owner="alice",
        webhook_url=receiver.url,
        secret="s3cret",
        private_key=_key(),
    )
    installation = alice.install(app.app_id)
    github.settle()
    receiver.hooks.clear()
    return Studio(github, receiver, app, alice, bob, eve, installation)


@pytest.fixture
def studio(receiver: Receiver) -> Iterator[Studio]:
    with GitHubSimulator() as github:
        yield build(github, receiver)


@pytest.fixture(scope="module")
def shared() -> Iterator[Studio]:
    """One for all tests of a file that change nothing."""
    with receiving() as receiver, GitHubSimulator() as github:
        yield build(github, receiver)


@pytest.fixture
def enterprise(receiver: Receiver) -> Iterator[Studio]:
    with GitHubSimulator(enterprise=True) as github:
        yield build(github, receiver)


@pytest.fixture(scope="session")
def webhook_examples(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, dict[str, Any]]]:
    """All real payloads of the npm package @octokit/webhooks-examples: pairs of event and payload.

    Only for tests marked `network`; nothing is kept.
    """
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed: apt-get install npm")
    folder = tmp_path_factory.mktemp("examples")
    command = ["npm", "pack", "--silent", "@octokit/webhooks-examples@7.6.1"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    # tarfile of Python 3.11.2, which Debian 12 has, knows no filter, and later ones warn without.
    subprocess.run(["tar", "-xzf", next(folder.glob("*.tgz"))], cwd=folder, check=True)
    index = Path(folder, "package/api.github.com/index.json")
    return [
        (definition["name"], example)
        for definition in json.loads(index.read_text())
        for example in definition["examples"]
    ]
