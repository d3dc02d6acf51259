"""The whole App as one command, with real processes, against the simulated GitHub."""

from __future__ import annotations

import contextlib
import html
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
import requests
from click.testing import CliRunner

from bot.cli import main
from bot.simulator import GitHubSimulator
from tests.web.conftest import TOKEN

SECRET = "the-webhook-secret-of-a-test"
PERMISSIONS = {"issues": "write", "checks": "write", "pull_requests": "write", "contents": "read"}


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(done, seconds=240.0):
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.2)


class Running:
    """`fixgate serve --embedded`, and all processes that came of it."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder, self.log = folder, folder / "log"
        given = {
            "PATH": os.environ["PATH"],
            "FIXGATE_DATA_DIRECTORY": str(folder / "data"),
            "FIXGATE_PORT": str(self.port),
            "FIXGATE_PUBLIC_URL": self.url,
            "FIXGATE_DASHBOARD_TOKEN": TOKEN,
            "FIXGATE_SANDBOX": "process",
            **environment,
        }
        arguments = [sys.executable, "-m", "bot", "serve", "--embedded"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(arguments, env=given, stdout=log, stderr=log)

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def child(self, *words: str) -> psutil.Process | None:
        for one in self.children():
            with contextlib.suppress(psutil.Error):
                if one.cmdline()[-len(words) :] == list(words):
                    return one
        return None

    def answers(self, path: str = "/healthz") -> bool:
        try:
            return requests.get(self.url + path, timeout=5).ok
        except requests.RequestException:
            return False

    def kill(self) -> None:
        everyone = [*self.children(), self.process] if self.process.poll() is None else []
        for one in everyone:
            one.kill()
        self.process.wait()


@pytest.fixture
def github():
    with GitHubSimulator() as made:
        made.add_user("alice")
        yield made


@pytest.mark.redis
@pytest.mark.timeout(900)
def test_one_command_runs_the_app_and_ends_all_of_it(github, tmp_path):
    alice = github.add_user("bea")
    github.add_repository("bea/calc")
    port = free_port()
    app = github.create_app(
        "fixgate",
        PERMISSIONS,
        ["issues", "issue_comment", "pull_request"],
        owner="bea",
        webhook_url=f"http://127.0.0.1:{port}/webhook",
        secret=SECRET,
    )
    (tmp_path / "key.pem").write_text(app.private_key)
    running = Running(
        tmp_path,
        FIXGATE_PORT=str(port),
        FIXGATE_API_URL=github.api_url,
        FIXGATE_WEBHOOK_SECRET=SECRET,
        FIXGATE_CLIENT_ID=app.client_id,
        FIXGATE_PRIVATE_KEY_FILE=str(tmp_path / "key.pem"),
        FIXGATE_API_KEY="the-key-of-a-model",
    )
    running.url = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: running.answers())
        alice.install(app.app_id)
        number = alice.open_issue("bea/calc", "It breaks", "see there")
        alice.comment("bea/calc", number, "/fixgate help")
        issue = github.repository("bea/calc").issues[number]
        wait_for(lambda: len(issue.comments) == 2)
        assert "/fixgate reproduce" in issue.comments[1].body
        _each_has_only_its_secrets(running)
        _a_dead_child_is_replaced(running)
        everyone = running.children()
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(60) == 0
        wait_for(lambda: not [one for one in everyone if _lives(one)])
    except BaseException:
        print(running.log.read_text())  # noqa: T201 - what they said is needed to understand it
        raise
    finally:
        running.kill()
    assert "the-key-of-a-model" not in running.log.read_text()


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _each_has_only_its_secrets(running: Running) -> None:
    wait_for(lambda: running.child("bot", "sweep") and running.child("--queue", "long"))
    web, minter = running.child("bot", "serve"), running.child("bot", "minter")
    worker = running.child("--queue", "long")
    assert "FIXGATE_WEBHOOK_SECRET" in web.environ()
    assert "FIXGATE_PRIVATE_KEY_FILE" in minter.environ()
    for name in ("FIXGATE_PRIVATE_KEY_FILE", "FIXGATE_MINTER_SECRET", "FIXGATE_API_KEY"):
        assert name not in web.environ()
    for name in ("FIXGATE_PRIVATE_KEY_FILE", "FIXGATE_WEBHOOK_SECRET", "FIXGATE_DASHBOARD_TOKEN"):
        assert name not in worker.environ()
    assert "FIXGATE_API_KEY" in worker.environ()
    assert "FIXGATE_API_KEY" not in minter.environ()


def _a_dead_child_is_replaced(running: Running) -> None:
    web = running.child("bot", "serve")
    web.kill()
    wait_for(lambda: (one := running.child("bot", "serve")) and one.pid != web.pid)
    wait_for(lambda: running.answers())


@pytest.mark.redis
@pytest.mark.timeout(600)
def test_from_the_setup_page_the_whole_app_starts(github, tmp_path):
    running = Running(tmp_path, FIXGATE_API_URL=github.api_url)
    try:
        wait_for(lambda: running.answers())
        with requests.Session() as browser:
            browser.post(f"{running.url}/login", data={"token": TOKEN}, timeout=30)
            page = browser.post(f"{running.url}/setup", data={"name": "ours"}, timeout=30).text
            action = re.search(r'<form method="post" action="([^"]+)"', page)[1]
            manifest = re.search(r'name="manifest" value="([^"]+)"', page)[1]
            given = {"manifest": html.unescape(manifest)}
            done = browser.post(html.unescape(action), data=given, timeout=30)
        assert "The App is made" in done.text
        wait_for(lambda: running.answers("/metrics"))
        wait_for(lambda: running.child("bot", "minter"))
    finally:
        running.process.send_signal(signal.SIGTERM)
        running.process.wait(60)
        running.kill()


def test_without_a_redis_it_says_what_to_install(tmp_path, monkeypatch):
    from bot.embedded import _redis

    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Exception, match="apt-get install redis-server"):
        _redis(tmp_path / "data", tmp_path / "socket")


@pytest.mark.parametrize(
    ("command", "missing"), [("minter", "app.json"), ("sweep", "FIXGATE_MINTER_SECRET")]
)
def test_what_is_missing_is_said_without_a_traceback(tmp_path, command, missing):
    arguments = [sys.executable, "-m", "bot", command]
    environment = {"PATH": os.environ["PATH"], "FIXGATE_DATA_DIRECTORY": str(tmp_path)}
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert missing in done.stderr
    assert "Traceback" not in done.stderr


def test_all_commands_are_there():
    listed = CliRunner().invoke(main, ["--help"]).output
    for name in ("serve", "worker", "sweep", "minter"):
        assert re.search(rf"^  {name} ", listed, re.MULTILINE), name
