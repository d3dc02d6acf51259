"""The whole App as one command, with real processes, against the simulated GitHub."""

from __future__ import annotations

import html
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
import requests
import sqlalchemy as sa
from uv import find_uv_bin

from bot.demo.simulator import AppSecrets, GitHubSimulator
from bot.demo.story import WORDTOOLS, Story
from bot.github.manifest import load_manifest
from bot.store import Store
from bot.store.tables import Delivery
from evaluator.demo.sample import lay_sample
from tests.ports import free_port
from tests.waiting import lives, wait_for
from tests.web.collector import NAMES_OF_ATTRIBUTES, Collector
from tests.web.conftest import SECRET, TOKEN, form_key, group_of, log_in
from tests.web.running import Running
from tests.web.smee import SmeeChannel

ROOT = Path(__file__).parents[2]


@pytest.fixture
def github():
    with GitHubSimulator() as made:
        yield made


def _embedded(
    github: GitHubSimulator,
    folder: Path,
    python: str = sys.executable,
    webhook_url: str = "",
    **environment: str,
) -> Embedded:
    """The App, made on GitHub by alice, and what happens around it."""
    lay_sample(folder / "sample")
    story = Story(github, folder / "sample" / "repository", lambda *_: None)
    manifest, port = load_manifest(), free_port()
    app = github.create_app(
        manifest["name"],
        manifest["default_permissions"],
        manifest["default_events"],
        owner="alice",
        webhook_url=webhook_url or f"http://127.0.0.1:{port}/webhook",
        secret=SECRET,
    )
    (folder / "key.pem").write_text(app.private_key)
    settings = {
        "FIXGATE_PORT": str(port),
        "FIXGATE_API_URL": github.api_url,
        "FIXGATE_WEBHOOK_SECRET": SECRET,
        "FIXGATE_CLIENT_ID": app.client_id,
        "FIXGATE_PRIVATE_KEY_FILE": str(folder / "key.pem"),
        "FIXGATE_API_KEY": "the-key-of-a-model",
        "FIXGATE_OFFLINE": "1",
        **environment,
    }
    return Embedded(github, app, story, Running(folder, python, **settings))


@dataclass(frozen=True)
class Embedded:
    """What a story plays against: here, real processes do the work by themselves."""

    github: GitHubSimulator
    credentials: AppSecrets
    story: Story
    running: Running

    def work(self) -> None:
        self.github.settle()
        store = Store(f"sqlite:///{self.running.folder}/data/fixgate.db")
        wait_for(lambda: self._is_done(store))
        store.database.engine.dispose()

    def _is_done(self, store: Store) -> bool:
        self.github.settle()
        sent = {
            one.parcel.guid
            for one in self.github.deliveries
            if one.succeeded and one.parcel.event != "ping"
        }
        # Through a channel, what GitHub takes for delivered may still be on its way.
        if not all(store.deliveries.get(guid) for guid in sent):
            return False
        return not (
            store.deliveries.waiting() or store.jobs.unfinished() or store.jobs.unreported()
        )


@pytest.mark.redis
@pytest.mark.timeout(600)
def test_one_command_tells_the_whole_story_and_ends_all_of_it(github, tmp_path):
    with Collector() as collector:
        embedded = _embedded(github, tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url)
        database = tmp_path / "data" / "fixgate.db"
        _plays_and_ends(embedded, lambda: _deliveries(database) <= _taken_in(collector))
        _each_delivery_is_one_trace(collector, database)


def _plays_and_ends(embedded: Embedded, spans_are_sent: Callable[[], bool]) -> None:
    with embedded.running as running:
        _story(embedded)
        _each_has_only_its_secrets(running)
        # Spans wait some seconds to be sent, and would die with the process that is killed next.
        wait_for(spans_are_sent)
        _a_dead_child_is_replaced(running)
        assert "redis-server" in running.programs()
        _ends_with_all(running)
    assert "the-key-of-a-model" not in running.log.read_text()


def _each_delivery_is_one_trace(collector: Collector, database: Path) -> None:
    """From webhook to check, through both kinds of processes; with nothing but names in it."""
    judged = [trace for trace in collector.traces() if "verdict" in trace.names]
    assert len(judged) >= 2, "a wrong fix and a right one"
    for trace in judged:
        assert {"intake", "handle", "job", "fetch", "tests", "verdict"} <= trace.names
        assert {"GitHub GET", "GitHub POST", "GitHub PATCH"} & trace.names
        assert trace.services == {"fixgate-web", "fixgate-worker"}
        assert [root.name for root in trace.roots] == ["intake"]
        assert trace.is_whole
    everything = set().union(*(trace.names for trace in collector.traces()))
    assert {"checkout", "environment", "write tests"} <= everything
    spans = [span for trace in collector.traces() for span in trace.spans]
    assert {name for span in spans for name in span.attributes} <= NAMES_OF_ATTRIBUTES
    assert not any(span.events for span in spans)
    said = " ".join(span.attributes.get("url.template", "") for span in spans)
    assert "alice" not in said
    assert "wordtools" not in said
    assert {trace.delivery for trace in judged} <= _deliveries(database)


def _taken_in(collector: Collector) -> set[str]:
    """The deliveries whose first span has arrived."""
    return {trace.delivery for trace in collector.traces() if "intake" in trace.names}


def _deliveries(database: Path) -> set[str]:
    store = Store(f"sqlite:///{database}")
    with store.database.session() as session:
        found = set(session.scalars(sa.select(Delivery.id)).all())
    store.database.engine.dispose()
    return found


@pytest.mark.redis
@pytest.mark.timeout(600)
def test_people_are_heard_through_a_channel(github, tmp_path):
    """GitHub cannot reach this machine; then somebody calls the test of an issue wrong."""
    with SmeeChannel() as smee:
        settings = {"webhook_url": smee.address, "FIXGATE_SMEE": smee.address}
        embedded = _embedded(github, tmp_path, **settings)
        with embedded.running as running:
            wait_for(lambda: smee.listeners)
            wait_for(lambda: running.answers("/readyz"))
            played = embedded.story.play(embedded)
            _call_wrong(embedded, int(played.issue.rpartition("/")[2]))
            head = played.right_check.suite.head_commit
            last = github.check_runs(WORDTOOLS.repository, head)[-1]
            assert last.conclusion == "neutral", last.title
            assert 'fixgate_called_wrong{what="test"} 1.0' in _metrics(running)
            smee_child = _child(running, "smee")
            assert not {"FIXGATE_WEBHOOK_SECRET", "FIXGATE_API_KEY"} & set(smee_child.environ())
            _ends_with_all(running)


def _call_wrong(embedded: Embedded, issue: int) -> None:
    embedded.story.alice.comment(WORDTOOLS.repository, issue, "/fixgate wrong")
    embedded.work()


def _metrics(running: Running) -> str:
    return requests.get(f"{running.url}/metrics", timeout=30).text


@pytest.mark.network
@pytest.mark.bubblewrap
@pytest.mark.timeout(600)
def test_the_wheel_with_the_newest_of_its_dependencies_does_the_same(github, tmp_path):
    """What `pip install fixgate` gives today, and not what uv.lock has; without a Redis."""
    python = str(_installed(tmp_path))
    path = _path_without("redis-server", tmp_path / "bin")
    embedded = _embedded(github, tmp_path, python, FIXGATE_SANDBOX="bubblewrap", PATH=path)
    with embedded.running as running:
        wait_for(lambda: running.answers("/readyz"), seconds=120)
        assert "valkey-server" in running.programs()
        _story(embedded)
        _ends_with_all(running)
    _demo_says_what_to_install(python)
    _uvx_runs_it(tmp_path)


def _uvx_runs_it(folder: Path) -> None:
    """Without an environment of its own; pipx installs in the same way."""
    (wheel,) = (folder / "wheel").glob("*.whl")
    command = [
        find_uv_bin(),
        "tool",
        "run",
        "--quiet",
        "--from",
        str(wheel),
        "fixgate",
        "--version",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("fixgate, version ")


def _demo_says_what_to_install(python: str) -> None:
    """A server is installed without what only the demo needs."""
    command = [python, "-m", "bot", "demo"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'fixgate[demo]'" in done.stderr


def _installed(folder: Path) -> Path:
    """The interpreter of a new environment with the built wheel and what that asks for."""
    python = folder / "installed" / "bin" / "python"
    _uv("build", "--wheel", "--out-dir", folder / "wheel", ROOT)
    (wheel,) = (folder / "wheel").glob("*.whl")
    _uv("venv", "--python", sys.executable, folder / "installed")
    _uv("pip", "install", "--compile-bytecode", "--python", python, wheel)
    return python


def _uv(*arguments: str | Path) -> None:
    subprocess.run([find_uv_bin(), "--quiet", *arguments], check=True)


def _story(embedded: Embedded) -> None:
    """An issue is reproduced, a wrong fix refused, a right one accepted; or DemoError."""
    wait_for(embedded.running.answers)
    embedded.story.play(embedded)


def _path_without(program: str, folder: Path) -> str:
    """A PATH with all programs but one."""
    folder.mkdir()
    for directory in os.environ["PATH"].split(os.pathsep):
        for found in Path(directory).glob("*"):
            if found.name != program and not (folder / found.name).is_symlink():
                (folder / found.name).symlink_to(found)
    assert shutil.which(program, path=str(folder)) is None
    return str(folder)


def _child(running: Running, *words: str) -> psutil.Process:
    found = running.child(*words)
    assert found is not None, words
    return found


def _each_has_only_its_secrets(running: Running) -> None:
    wait_for(lambda: running.child("bot", "sweep") and running.child("--queue", "long"))
    web, minter = _child(running, "bot", "serve"), _child(running, "bot", "minter")
    worker = _child(running, "--queue", "long")
    assert "FIXGATE_WEBHOOK_SECRET" in web.environ()
    assert "FIXGATE_PRIVATE_KEY_FILE" in minter.environ()
    for name in ("FIXGATE_PRIVATE_KEY_FILE", "FIXGATE_MINTER_SECRET", "FIXGATE_API_KEY"):
        assert name not in web.environ()
    for name in ("FIXGATE_PRIVATE_KEY_FILE", "FIXGATE_WEBHOOK_SECRET", "FIXGATE_DASHBOARD_TOKEN"):
        assert name not in worker.environ()
    assert "FIXGATE_API_KEY" in worker.environ()
    assert "FIXGATE_API_KEY" not in minter.environ()


def _a_dead_child_is_replaced(running: Running) -> None:
    web = _child(running, "bot", "serve")
    web.kill()
    wait_for(lambda: (one := running.child("bot", "serve")) and one.pid != web.pid)
    wait_for(running.answers)


def _ends_with_all(running: Running) -> None:
    everyone = running.children()
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(60) == 0
    wait_for(lambda: not [one for one in everyone if lives(one)])
    left = {path.name for path in (running.folder / "data").iterdir() if path.is_socket()}
    assert not left


@pytest.mark.timeout(600)
def test_from_the_setup_page_the_whole_app_starts_and_brings_a_redis(github, tmp_path):
    github.add_user("alice")
    path = _path_without("redis-server", tmp_path / "bin")
    with Running(tmp_path, FIXGATE_API_URL=github.api_url, PATH=path) as running:
        wait_for(running.answers)
        with requests.Session() as browser:
            key = form_key(browser.get(f"{running.url}/login", timeout=30).text)
            fields = {"form_key": key, "token": TOKEN}
            browser.post(f"{running.url}/login", data=fields, timeout=30)
            key = form_key(browser.get(f"{running.url}/setup", timeout=30).text)
            fields = {"form_key": key, "name": "ours"}
            page = browser.post(f"{running.url}/setup", data=fields, timeout=30).text
            action = group_of(r'<form method="post" action="([^"]+)"', page)
            manifest = group_of(r'name="manifest" value="([^"]+)"', page)
            given = {"manifest": html.unescape(manifest)}
            done = browser.post(html.unescape(action), data=given, timeout=30)
        assert "The App is made" in done.text
        wait_for(lambda: running.answers("/metrics"))
        wait_for(lambda: running.child("bot", "minter"))
        wait_for(lambda: running.answers("/readyz"))
        with requests.Session() as browser:
            overview = log_in(browser, running.url, "alice")
            assert overview.url == f"{running.url}/"
            assert "alice" in overview.text
        assert "valkey-server" in running.programs()
        _ends_with_all(running)
