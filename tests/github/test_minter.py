from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import requests

from bot.demo.simulator import Faults
from bot.demo.simulator.records import Token
from bot.errors import (
    ConfigurationError,
    ForbiddenError,
    GitHubError,
    NotFoundError,
    RateLimitedError,
)
from bot.github.api import UncertainError
from bot.github.client import InstalledGitHub
from bot.github.minter import Minter
from bot.github.minter_client import MinterClient
from bot.github.minter_server import serve
from bot.github.tokens import CLONE, READ, WRITE
from generator.model.secret import Secret
from tests.github.conftest import Room, check

SECRET = "correct horse battery staple"
_PROCESS = """
import os
import sys
from pathlib import Path
from bot.github.api import Connection
from bot.github.app import AppClient, PrivateKey
from bot.github.minter import Minter
from bot.github.minter_server import serve
from bot.github.retrying import ApiRetryPolicy
from generator.model.secret import Secret
address, url, client_id, key = sys.argv[1:]
connection = Connection(url, ApiRetryPolicy(first_wait=0.01, longest_wait=0.2))
minter = Minter(AppClient(client_id, PrivateKey.load(Path(key)), connection))
serve(minter, Secret(os.environ["FIXGATE_MINTER_SECRET"], "the test"), address)
"""


def _address(kind: str, folder: Path) -> str:
    if kind == "unix":
        return f"unix:{folder / 'minter.sock'}"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def _wait_for(client: MinterClient) -> None:
    for _ in range(300):
        try:
            client.identity()
        except UncertainError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the minter did not start within 30 s")


@pytest.fixture(params=["unix", "http"])
def client(
    room: Room, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MinterClient]:
    """A client of a minter that is a process of its own."""
    monkeypatch.setenv("FIXGATE_MINTER_SECRET", SECRET)
    key = tmp_path / "key.pem"
    key.write_text(room.studio.app.private_key)
    address = _address(request.param, tmp_path)
    words = [address, room.github.api_url, room.studio.app.client_id, str(key)]
    with subprocess.Popen([sys.executable, "-c", _PROCESS, *words]) as process:
        try:
            made = MinterClient(address, Secret(SECRET, "the test"))
            _wait_for(made)
            yield made
        finally:
            process.terminate()


def test_a_process_that_has_no_key_works_with_the_minter(room: Room, client: MinterClient) -> None:
    number = room.studio.installation
    assert client.identity() == room.app.identity()
    assert client.installation("alice/calc") == number
    repository = InstalledGitHub(client, room.connection).repository(number, "alice/calc")
    repository.put_check(check(room.head()))
    assert len(room.github.check_runs("alice/calc", room.head())) == 1
    first = client.token(number, "alice/calc", CLONE)
    again = client.token(number, "alice/calc", CLONE)
    assert again.value.reveal() == first.value.reveal()
    assert first.expires_at > datetime.now(UTC) + timedelta(minutes=50)
    client.refused(again.value)
    assert client.token(number, "alice/calc", CLONE).value.reveal() != first.value.reveal()
    _redelivers(room, client)
    _refuses(room, client)
    _by_plain_http(client)
    _is_for_its_owner(client)


def _redelivers(room: Room, client: MinterClient) -> None:
    start = datetime.now(UTC) - timedelta(minutes=1)
    room.github.settle()
    room.studio.receiver.status = 500
    room.studio.bob.open_issue("alice/calc", "It breaks")
    room.github.settle()
    (lost,) = client.failed_deliveries(start)
    assert [lost] == list(room.app.failed_deliveries(start))
    room.studio.receiver.status = 202
    client.redeliver(lost.id)
    room.github.settle()
    assert room.studio.receiver.hooks[-1].guid == lost.guid


def _refuses(room: Room, client: MinterClient) -> None:
    number = room.studio.installation
    with pytest.raises(ForbiddenError, match="no task of fixgate needs administration: write"):
        client.token(number, "alice/calc", {"administration": "write"})
    with pytest.raises(ForbiddenError, match="for named permissions"):
        client.token(number, "alice/calc", {})
    with pytest.raises(NotFoundError):
        client.installation("alice/nothing")
    room.github.use(Faults(limited=1, retry_after=1800))
    with pytest.raises(RateLimitedError) as caught:
        client.installation("alice/calc")
    assert caught.value.seconds == 1800
    room.github.use(Faults(errors=1))
    with pytest.raises(UncertainError, match="Server Error"):
        client.installation("alice/calc")
    room.github.use(Faults())
    with pytest.raises(GitHubError, match="shared secret is wrong"):
        MinterClient(client.address, Secret("another secret", "the test")).identity()


def test_nobody_answers(tmp_path: Path) -> None:
    waits: list[float] = []
    secret = Secret(SECRET, "the test")
    client = MinterClient(f"unix:{tmp_path}/none.sock", secret, sleep=waits.append)
    with pytest.raises(UncertainError, match=r"none\.sock does not answer .*is it running\?"):
        client.token(1, "alice/calc", READ)
    assert waits == [0.5, 1.0, 2.0, 4.0]


def test_a_minter_that_is_just_restarted_is_waited_for(tmp_path: Path) -> None:
    path = str(tmp_path / "minter.sock")

    def begin(_: float) -> None:
        if len(waited) == 1:
            listener.bind(path)
            listener.listen()
            threading.Thread(target=answer).start()
        waited.append(_)

    def answer() -> None:
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as request:
            request.readline()
            # A body left unread would reset the connection: it comes in a message of its own.
            request.read(int(http.client.parse_headers(request)["Content-Length"]))
            body = b'{"id": 7, "slug": "fixgate"}'
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    waited: list[float] = []
    with socket.socket(socket.AF_UNIX) as listener:
        client = MinterClient(f"unix:{path}", Secret(SECRET, "the test"), sleep=begin)
        assert client.identity().id == 7
    assert waited == [0.5, 1.0]


@pytest.mark.parametrize("address", ["", "minter", "unix:", "http://minter", "ftp://minter:1"])
def test_addresses_that_are_none(address: str) -> None:
    secret = Secret(SECRET, "the test")
    with pytest.raises(ConfigurationError, match="is no address of a minter"):
        MinterClient(address, secret)
    nobody = MinterClient("unix:/nowhere", secret)
    with pytest.raises(ConfigurationError, match="is no address of a minter"):
        serve(nobody, secret, address)


def test_tokens_are_kept_until_shortly_before_they_end(room: Room) -> None:
    number, now = room.studio.installation, [datetime.now(UTC)]
    minter = Minter(room.app, lambda: now[0])

    def value() -> str:
        return minter.token(number, "Alice/Calc", WRITE).value.reveal()

    first = value()
    now[0] += timedelta(minutes=49)
    assert value() == first
    now[0] += timedelta(minutes=2)
    assert value() != first
    assert room.asked("POST", "/access_tokens") == 2


def test_a_token_that_github_takes_no_more_is_asked_for_anew(room: Room) -> None:
    repository = room.repository()
    assert repository.default_branch() == "main"
    room.github.world.tokens.clear()
    assert repository.default_branch() == "main"
    repository.put_check(check(room.head()))
    assert room.asked("POST", "/access_tokens") == 2
    room.studio.alice.uninstall(room.studio.installation)
    with pytest.raises(NotFoundError, match="is not installed on alice/calc any more"):
        repository.default_branch()


def test_a_token_is_asked_for_anew_only_once(room: Room) -> None:
    minter, number = room.minter(), room.studio.installation
    repository = InstalledGitHub(minter, room.connection).repository(number, "alice/calc")
    for _ in range(2):
        room.github.world.tokens.clear()
        minter.refused(minter.token(number, "alice/calc", WRITE).value)
        minter.refused(Secret("another token", "the test"))
    assert room.asked("POST", "/access_tokens") == 2
    stale = room.github.world.tokens
    room.github.world.tokens = _Refusing(stale)
    with pytest.raises(GitHubError, match="401 Bad credentials"):
        repository.default_branch()
    assert room.asked("POST", "/access_tokens") == 4


class _Refusing(dict[str, Token]):
    """Tokens of which none is known, whatever was given out."""

    def get(self, key: str, default: Any = None, /) -> Any:
        return None


def test_other_permissions_and_repositories_get_other_tokens(room: Room) -> None:
    room.github.add_repository("alice/other")
    minter, number = room.minter(), room.studio.installation
    wanted = [("alice/calc", READ), ("alice/calc", WRITE), ("alice/other", READ)]
    values = {minter.token(number, name, given).value.reveal() for name, given in wanted}
    assert len(values) == 3


def _by_plain_http(client: MinterClient) -> None:
    if not client.address.startswith("http"):
        return
    assert requests.get(f"{client.address}/healthz", timeout=10).json() == {"status": "ok"}
    bad = {"Authorization": f"Basic {SECRET}"}
    for headers in ({}, bad):
        answer = requests.post(f"{client.address}/token", json={}, headers=headers, timeout=10)
        assert answer.status_code == 401
    good = {"Authorization": f"Bearer {SECRET}"}
    answer = requests.post(f"{client.address}/token", json=[], headers=good, timeout=10)
    assert (answer.status_code, answer.json()["message"]) == (400, "installation is missing")
    answer = requests.post(f"{client.address}/keys", json={}, headers=good, timeout=10)
    assert answer.status_code == 404


def _is_for_its_owner(client: MinterClient) -> None:
    if client.address.startswith("unix:"):
        mode = Path(client.address.removeprefix("unix:")).stat().st_mode
        assert mode & 0o077 == 0
