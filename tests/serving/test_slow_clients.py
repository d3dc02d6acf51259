"""Clients that are slow have an end, whatever it is that they do slowly."""

from __future__ import annotations

import socket
import time
from urllib.parse import urlsplit

import flask
import pytest
import requests

from bot.serving import ClientTimeouts, asgi
from tests.load.slow import Slow, dripping
from tests.waiting import wait_for
from tests.web.conftest import serving

SHORT_TIMEOUTS = ClientTimeouts(headers=1.0, body=2.0, idle=3.0)
LARGE = 64_000_000
"""Characters; more than the system keeps for a client that does not read."""
CLIENTS = 20


@pytest.fixture
def url():
    app = flask.Flask(__name__)
    app.add_url_rule("/healthz", "healthz", lambda: "well")
    app.add_url_rule("/large", "large", lambda: "x" * LARGE)
    app.add_url_rule("/slow", "slow", work)
    app.add_url_rule("/webhook", "webhook", lambda: "taken", methods=["POST"])
    with serving(asgi(app), SHORT_TIMEOUTS) as made:
        yield made


def work():
    """Takes longer than any client may."""
    time.sleep(SHORT_TIMEOUTS.idle + 1)
    return "done"


def port_of(url):
    return urlsplit(url).port


@pytest.mark.parametrize(
    ("slow", "least"),
    [
        (Slow.HEADERS, SHORT_TIMEOUTS.headers),
        (Slow.BODY, SHORT_TIMEOUTS.body),
        (Slow.IDLE, SHORT_TIMEOUTS.idle),
        (Slow.BLANK_LINES, SHORT_TIMEOUTS.idle),
    ],
)
def test_the_server_hangs_up_on_who_does_not_come_to_an_end(url, slow, least):
    with dripping(port_of(url), CLIENTS, slow) as made:
        assert requests.get(f"{url}/healthz", timeout=30).text == "well"
        wait_for(lambda: len(made.ended) == CLIENTS)
    assert min(made.ended) >= least - 0.1


def test_the_server_hangs_up_on_who_does_not_take_the_answer(url):
    with socket.create_connection(("127.0.0.1", port_of(url))) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(SHORT_TIMEOUTS.body + 3)
        client.settimeout(60)
        taken = 0
        try:
            while chunk := client.recv(65536):
                taken += len(chunk)
        except ConnectionResetError:
            pass
    assert 0 < taken < LARGE


def test_work_of_the_server_itself_may_take_longer(url):
    assert requests.get(f"{url}/slow", timeout=30).text == "done"


def test_a_connection_is_used_again(url):
    with requests.Session() as session:
        for _ in range(3):
            assert session.get(f"{url}/healthz", timeout=30).text == "well"
            time.sleep(0.7)
