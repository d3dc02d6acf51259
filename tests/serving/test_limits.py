"""Nobody can send too much or connect too often, and what is in hand is finished."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import flask
import pytest
import requests

from bot.serving import LARGEST_BODY, HttpServer, asgi, tcp_sockets, unix_socket
from bot.serving.connection import LARGEST_HEADERS

MOST = 5
CLOSED = b""


class Work:
    """What a request is busy with, until it is allowed to end."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.may_end.wait(60)
        return "done"


@contextlib.contextmanager
def served(work: Work) -> Iterator[str]:
    app = flask.Flask(__name__)
    app.add_url_rule("/", "echo", lambda: flask.request.get_data(), methods=["GET", "POST"])
    app.add_url_rule("/work", "work", work)
    sockets = tcp_sockets("127.0.0.1", 0)
    with HttpServer(asgi(app), sockets, connections=MOST).running():
        yield f"http://127.0.0.1:{sockets[0].getsockname()[1]}"


@pytest.fixture
def work() -> Work:
    return Work()


@pytest.fixture
def url(work: Work) -> Iterator[str]:
    with served(work) as made:
        yield made


def connected(url: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), timeout=60)


def until_closed(client: socket.socket) -> bytes:
    """All that a server sends before it hangs up."""
    told = b""
    with contextlib.suppress(ConnectionResetError):
        while part := client.recv(65536):
            told += part
    return told


def is_answered(url: str) -> bool:
    return requests.post(url, data=b"x", timeout=60).text == "x"


@pytest.mark.parametrize("line", [b"X-Many: x\r\n", b"x"], ids=["many lines", "one line"])
def test_headers_have_an_end(url, line):
    with connected(url) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-First: ")
        with contextlib.suppress(ConnectionError):
            client.sendall(line * (4 * LARGEST_HEADERS // len(line)))
        assert until_closed(client) == CLOSED
    assert is_answered(url)


def test_blank_lines_have_an_end(url):
    with connected(url) as client:
        with contextlib.suppress(ConnectionError):
            client.sendall(b"\r\n" * (2 * LARGEST_HEADERS))
        assert until_closed(client) == CLOSED


def chunks(count, size=2**20):
    for _ in range(count):
        yield b"x" * size


def test_a_body_in_chunks_arrives(url):
    answer = requests.post(url, data=chunks(3, 1000), timeout=60)
    assert answer.text == 3000 * "x"


def test_a_body_that_is_kept_in_a_file_arrives(url):
    body = bytes(range(256)) * 8000
    assert requests.post(url, data=body, timeout=60).content == body


def test_a_body_in_chunks_that_is_too_large_is_refused(url):
    with contextlib.suppress(requests.ConnectionError):  # it may hang up in the midst of the body
        answer = requests.post(url, data=chunks(LARGEST_BODY // 2**20 + 3), timeout=60)
        assert answer.status_code == 413
    assert is_answered(url)


def test_the_end_of_a_body_in_chunks_has_an_end(url):
    with connected(url) as client:
        client.sendall(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
        with contextlib.suppress(ConnectionError):
            client.sendall(b"X-Trailer: x\r\n" * (2 * LARGEST_BODY // 14))
        assert until_closed(client) == CLOSED


def test_two_requests_at_once_are_answered_in_their_order(url):
    with connected(url) as client:
        for body in (b"1", b"2"):
            client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n" + body)
        told = b""
        while told.count(b"HTTP/1.1 200") < 2 or not told.endswith(b"2"):
            told += client.recv(65536)
    assert told.index(b"\r\n\r\n1") < told.index(b"\r\n\r\n2")


@pytest.mark.parametrize(
    "words", [b"nonsense\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03"]
)
def test_what_is_no_http_is_refused_and_not_logged(url, words, caplog):
    with connected(url) as client:
        client.sendall(words)
        assert until_closed(client).startswith(b"HTTP/1.1 400 ")
    assert not caplog.records


def test_where_too_many_are_connected_the_longest_idle_one_makes_room(url, work):
    with contextlib.ExitStack() as stack, ThreadPoolExecutor(1) as pool:
        busy = pool.submit(requests.get, f"{url}/work", timeout=60)
        assert work.begun.wait(60)
        idle = [stack.enter_context(connected(url)) for _ in range(MOST - 1)]
        assert is_answered(url)
        assert until_closed(idle[0]) == CLOSED
        work.may_end.set()
        assert busy.result().text == "done"
        idle[-1].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert until_closed(idle[-1]).startswith(b"HTTP/1.1 200 ")


def test_a_request_in_hand_is_answered_before_the_end(work):
    with ThreadPoolExecutor(1) as pool:
        with served(work) as url:
            busy = pool.submit(requests.get, f"{url}/work", timeout=60)
            assert work.begun.wait(60)
            threading.Timer(1.0, work.may_end.set).start()
        assert busy.result().text == "done"
        with pytest.raises(ConnectionRefusedError):
            connected(url)


def test_a_socket_in_the_file_system_takes_the_place_of_one_left_behind(tmp_path: Path):
    path = tmp_path / "web.sock"
    unix_socket(path).close()
    app = flask.Flask(__name__)
    app.add_url_rule("/", "well", lambda: "well")
    with HttpServer(asgi(app), [unix_socket(path)]).running():
        assert path.stat().st_mode & 0o777 == 0o600
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
            client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert until_closed(client).endswith(b"well")


def test_a_file_that_is_no_socket_stays(tmp_path: Path):
    (tmp_path / "web.sock").write_text("mine")
    with pytest.raises(OSError, match="in use"):
        unix_socket(tmp_path / "web.sock")
    assert (tmp_path / "web.sock").read_text() == "mine"
