"""The load program's promises, kept short: nothing lost, nothing twice, nobody waits too long."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from tests.load.client import LONGEST_SECONDS, Order, Sent, send
from tests.load.deliveries import BYTES, payload, planned
from tests.load.servers import Fixgate, fixgate
from tests.load.slow import LONGEST_LOOK, Slow, dripping, seconds_of_a_look
from tests.waiting import wait_for

pytestmark = pytest.mark.redis
COUNT = 400
SLOW_CLIENTS = 300


def _send(server: Fixgate, count: int = COUNT) -> Sent:
    return send(Order(server.target, payload(), count, duplicates=0.2, clients=16, seed=1))


def test_the_payload_is_as_long_as_those_of_github() -> None:
    assert 0.9 * BYTES < len(payload()) <= BYTES


def test_all_that_is_sent_at_once_is_kept_and_queued_once(tmp_path: Path) -> None:
    with fixgate(tmp_path / "fixgate") as server:
        sent = _send(server)
        assert len(sent.answers) == len(planned(COUNT, 0.2, seed=1)) > 1.1 * COUNT
        assert {status for _, status, _ in sent.answers} == {202}
        assert max(seconds for _, _, seconds in sent.answers) < LONGEST_SECONDS
        assert server.complaints([sent]) == []
        assert len({guid for guid, _, _ in sent.answers}) == COUNT


def test_deliveries_come_at_the_rate_asked_for(tmp_path: Path) -> None:
    with fixgate(tmp_path / "fixgate") as server:
        order = Order(server.target, payload(), 100, 0.0, clients=64, seed=1, rate=50.0)
        sent = send(order)
        assert sent.seconds >= 100 / 50
        assert sorted(guid for guid, _, _ in sent.answers) == sorted(planned(100, 0.0, seed=1))
        assert server.complaints([sent]) == []


@pytest.mark.parametrize("slow", [Slow.HEADERS, Slow.BODY])
def test_slow_clients_keep_nobody_out(tmp_path: Path, slow: Slow) -> None:
    hasty = {"FIXGATE_HEADER_SECONDS": "20", "FIXGATE_BODY_SECONDS": "20"}
    with fixgate(tmp_path / "fixgate", **hasty) as server:
        port = server.target.port
        with dripping(port, SLOW_CLIENTS, slow) as made:
            looks = [seconds_of_a_look(port) for _ in range(5)]
            sent = _send(server, 50)
            assert len(made.ended) < SLOW_CLIENTS, "they were there meanwhile"
            wait_for(lambda: len(made.ended) == SLOW_CLIENTS)
        assert max(looks) < LONGEST_LOOK
        assert {status for _, status, _ in sent.answers} == {202}
        assert server.complaints([sent]) == []


def test_what_was_answered_outlives_a_kill(tmp_path: Path) -> None:
    with fixgate(tmp_path / "fixgate") as server:
        killer = threading.Thread(target=_kill_when_it_has_some, args=(server,))
        killer.start()
        sent = _send(server, 5_000)
        killer.join()
        answered = {guid for guid, status, _ in sent.answers if status == 202}
        assert 100 < len(answered) < 5_000
        assert answered <= set(server.kept())


def _kill_when_it_has_some(server: Fixgate) -> None:
    while len(server.kept()) < 200:
        time.sleep(0.05)
    server.started.processes[-1].kill()
