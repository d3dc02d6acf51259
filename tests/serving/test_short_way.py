"""Short requests go a way of their own, in their order, within the same limits; others do not."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest

from bot.serving import ClientTimeouts, HttpServer, ShortRequest, tcp_sockets
from bot.serving.asgi import answer, whole_body

SHORT = b"POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n"
PLAIN = ((b"content-type", b"text/plain"),)


class App:
    """Says by which way a request came, and what it held."""

    def __init__(self) -> None:
        self.short_ways = {b"/hook": self._short}
        self.may_end = threading.Event()
        self.begun = threading.Event()

    async def __call__(self, scope, receive, send):
        body = await whole_body(receive)
        await answer(send, 200, b"usual " + body[:9], PLAIN)

    async def _short(self, request: ShortRequest):
        if request.body == b"fails":
            raise RuntimeError("a defect")
        if request.body == b"waits":
            self.begun.set()
            await asyncio.to_thread(self.may_end.wait, 60)
        return 202, PLAIN, b"short " + request.body + request.headers.get(b"x-more", b"")


@contextlib.contextmanager
def served(app: App) -> Iterator[int]:
    sockets = tcp_sockets("127.0.0.1", 0)
    timeouts = ClientTimeouts(headers=1.0, body=1.0, idle=20.0)
    with HttpServer(app, sockets, timeouts).running():
        yield sockets[0].getsockname()[1]


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def client(app: App) -> Iterator[socket.socket]:
    with served(app) as port, socket.create_connection(("127.0.0.1", port), 60) as made:
        yield made


def until(client: socket.socket, end: bytes) -> bytes:
    told = b""
    while not told.endswith(end):
        part = client.recv(65536)
        assert part, told
        told += part
    return told


def test_a_short_request_goes_the_short_way_and_the_connection_stays(client):
    for body in (b"12345", b"67890"):
        client.sendall(SHORT.replace(b"Host", b"X-More: more\r\nHost") + body)
        told = until(client, b"short " + body + b"more")
        assert told.startswith(b"HTTP/1.1 202 Accepted\r\n")
        assert b"\r\ncontent-type: text/plain\r\n" in told
        assert b"\r\ndate: " in told


def test_a_body_that_comes_in_parts_is_whole(client):
    for part in (SHORT[:30], SHORT[30:], b"12", b"345"):
        client.sendall(part)
    assert until(client, b"short 12345")


@pytest.mark.parametrize(
    "request_",
    [
        b"POST /hook HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n\r\n",
        b"POST /hook HTTP/1.1\r\nContent-Length: 70000\r\n\r\n" + b"1" * 70000,
        b"POST /hook HTTP/1.1\r\nContent-Length: 1\r\nConnection: close\r\n\r\n1",
        b"POST /hook HTTP/1.0\r\nContent-Length: 1\r\n\r\n1",
        b"POST /hook HTTP/1.1\r\nContent-Length: 1\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n1",
        b"PUT /hook HTTP/1.1\r\nContent-Length: 1\r\n\r\n1",
        b"POST /hook?a=b HTTP/1.1\r\nContent-Length: 1\r\n\r\n1",
        b"POST /other HTTP/1.1\r\nContent-Length: 1\r\n\r\n1",
        b"GET /hook HTTP/1.1\r\n\r\n",
    ],
)
def test_what_is_unusual_goes_the_usual_way(client, request_):
    client.sendall(request_)
    told = b""
    while b"usual " not in told:
        told += client.recv(65536)
    assert told.startswith(b"HTTP/1.1 200 OK\r\n")


def test_who_waits_to_be_asked_for_the_body_is_asked(client):
    client.sendall(SHORT.replace(b"Host", b"Expect: 100-continue\r\nHost"))
    assert until(client, b"\r\n\r\n").startswith(b"HTTP/1.1 100 Continue\r\n")
    client.sendall(b"12345")
    assert until(client, b"usual 12345")


def test_requests_at_once_are_answered_in_their_order(app, client):
    usual = SHORT.replace(b"/hook", b"/other")
    client.sendall(SHORT + b"waits" + SHORT + b"22222" + usual + b"33333")
    assert app.begun.wait(60)
    app.may_end.set()
    told = until(client, b"usual 33333")
    assert told.index(b"short waits") < told.index(b" 22222") < told.index(b"usual 33333")
    client.sendall(SHORT + b"44444")
    assert until(client, b"short 44444")


def test_a_defect_is_told_and_logged_and_the_connection_stays(client, caplog):
    client.sendall(SHORT + b"fails" + SHORT + b"12345")
    told = until(client, b" 12345")
    assert told.startswith(b"HTTP/1.1 500 ")
    assert "a defect" in caplog.text


def test_who_does_not_send_the_body_is_hung_up_on(client):
    client.sendall(SHORT + b"1")
    assert client.recv(1) == b""


def test_a_client_that_does_not_wait_for_the_answer_harms_nobody(app):
    with served(app) as port:
        with socket.create_connection(("127.0.0.1", port), 60) as gone:
            gone.sendall(SHORT + b"waits")
            assert app.begun.wait(60)
        app.may_end.set()
        with socket.create_connection(("127.0.0.1", port), 60) as client:
            client.sendall(SHORT + b"12345")
            assert until(client, b"short 12345")


def test_a_request_in_hand_is_answered_before_the_end(app):
    with contextlib.ExitStack() as stack:
        port = stack.enter_context(served(app))
        client = socket.create_connection(("127.0.0.1", port), 60)
        client.sendall(SHORT + b"waits")
        assert app.begun.wait(60)
        threading.Timer(1.0, app.may_end.set).start()
    told = until(client, b"short waits")
    assert b"\r\nconnection: close\r\n" in told
    client.close()
