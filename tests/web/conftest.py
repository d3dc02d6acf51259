"""The web application on a real port, with a real store; Redis where a test asks for it."""

from __future__ import annotations

import hashlib
import hmac
import html
import io
import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from bot.logs import start_logging
from bot.queue import JobQueue
from bot.serving import AsgiApplication, ClientTimeouts, HttpServer, tcp_sockets
from bot.settings import Settings, settings_from
from bot.store import Store
from bot.web import make_app
from evaluator.distributed.connections import failing_fast
from tests.conftest import RedisServer

SECRET = "the-webhook-secret-of-a-test"
TOKEN = "the-token-of-the-dashboard"
USUAL_TIMEOUTS = ClientTimeouts()
NOWHERE = "redis://127.0.0.1:1/0"


def group_of(pattern: str, text: str) -> str:
    """What the group of a pattern matches in a text; fails where nothing does."""
    found = re.search(pattern, text)
    assert found is not None, pattern
    return str(found[1])


def form_key(page: str) -> str:
    """What the forms on a page hold."""
    return group_of(r'name="form_key" value="([^"]+)"', page)


def log_in(browser: requests.Session, url: str, login: str, wanted: str = "/") -> requests.Response:
    """As a person does: press the button, say who one is to GitHub, let it tell the App."""
    page = browser.get(f"{url}/login/github", params={"next": wanted}, timeout=30)
    page = press(browser, page, login=login)
    return press(browser, page, authorize="1") if "Authorize" in page.text else page


def press(browser: requests.Session, page: requests.Response, **button: str) -> requests.Response:
    """Press a button of the first form on a page of the simulated GitHub."""
    place = urlsplit(page.url)
    action = html.unescape(group_of(r'<form method="post" action="([^"]+)"', page.text))
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text))
    fields = {name: html.unescape(value) for name, value in hidden.items()}
    address = f"{place.scheme}://{place.netloc}{action}"
    return browser.post(address, data={**fields, **button}, timeout=30)


class Site:
    """The application, and a browser of sorts."""

    def __init__(self, url: str, store: Store, queue: JobQueue, settings: Settings) -> None:
        self.url, self.store, self.queue, self.settings = url, store, queue, settings
        self.session = requests.Session()
        self.session.trust_env = False

    def get(self, path: str, **more: Any) -> requests.Response:
        return self.session.get(f"{self.url}{path}", timeout=30, **more)

    def post(self, path: str, **more: Any) -> requests.Response:
        return self.session.post(f"{self.url}{path}", timeout=30, **more)

    def deliver(
        self, delivery: str = "d-1", payload: object = None, **changed: str
    ) -> requests.Response:
        body = json.dumps({"action": "opened"} if payload is None else payload).encode()
        return self.send(body, {**headers(body, delivery), **changed})

    def send(self, body: bytes, told: dict[str, str]) -> requests.Response:
        return requests.post(f"{self.url}/webhook", data=body, headers=told, timeout=30)

    def log_in(self, token: str = TOKEN) -> requests.Response:
        return self.submit("/login", token=token)

    def submit(self, path: str, page: str = "/login", **fields: str) -> requests.Response:
        """Post a form as a page of the site has it."""
        return self.post(path, data={"form_key": form_key(self.get(page).text), **fields})

    def metric(self, name: str) -> float:
        for line in self.get("/metrics").text.splitlines():
            if line.rpartition(" ")[0] == name:
                return float(line.rpartition(" ")[2])
        return float("nan")


def headers(body: bytes, delivery: str = "d-1", secret: str = SECRET) -> dict[str, str]:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        "X-GitHub-Delivery": delivery,
        "X-GitHub-Event": "issues",
        "X-Hub-Signature-256": f"sha256={digest}",
    }


def settings(folder: Path, **environment: str) -> Settings:
    return settings_from(
        {
            "FIXGATE_DATA_DIRECTORY": str(folder),
            "FIXGATE_WEBHOOK_SECRET": SECRET,
            "FIXGATE_DASHBOARD_TOKEN": TOKEN,
            **environment,
        }
    )


@contextmanager
def serving(app: AsgiApplication, timeouts: ClientTimeouts = USUAL_TIMEOUTS) -> Iterator[str]:
    """A web application on a real port; its address."""
    sockets = tcp_sockets("127.0.0.1", 0)
    with HttpServer(app, sockets, timeouts).running():
        yield f"http://127.0.0.1:{sockets[0].getsockname()[1]}"


@contextmanager
def site_with(folder: Path, redis_url: str, **environment: str) -> Iterator[Site]:
    chosen = settings(folder, FIXGATE_REDIS_URL=redis_url, **environment)
    store = Store(chosen.database_url)
    store.database.migrate()
    queue = JobQueue(failing_fast(redis_url))
    with serving(make_app(chosen, store, queue)) as url:
        made = Site(url, store, queue, chosen)
        yield made
        made.session.close()
    store.database.engine.dispose()
    queue.connection.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Without Redis."""
    with site_with(tmp_path, NOWHERE) as made:
        yield made


@pytest.fixture
def queued_site(tmp_path: Path, redis_server: RedisServer) -> Iterator[Site]:
    """With Redis."""
    with site_with(tmp_path, redis_server.url) as made:
        yield made


@pytest.fixture
def log() -> Iterator[Callable[[], list[Any]]]:
    """What was logged since, as it is written."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    start_logging(stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:] = handlers
    root.setLevel(level)
