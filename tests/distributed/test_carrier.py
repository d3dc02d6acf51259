"""Items are carried out once, on whichever host, whoever is killed."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from evaluator.distributed.connections import retrying
from evaluator.errors import InputError
from tests.distributed.conftest import Hosts
from tests.waiting import lives, wait_for

pytestmark = pytest.mark.redis


def groups(number: int, does: str = "notes") -> list[dict[str, str]]:
    return [{f"g{n}-1": does, f"g{n}-2": does} for n in range(number)]


def names(number: int) -> list[str]:
    return sorted(name for group in groups(number) for name in group)


def test_two_workers_carry_out_a_batch_and_what_they_left_is_taken(hosts: Hosts) -> None:
    hosts.worker()
    hosts.worker()
    found = hosts.batch(*groups(6))
    assert {name: row["value"] for name, row in found.items()} == {n: n for n in names(6)}
    assert sorted(hosts.begun) == names(6)
    assert sorted(p.name for p in (hosts.folder / "out" / "files").iterdir()) == names(6)
    # A second command finds nothing to do, whether it has the results itself or Redis has them.
    for out in ("out", "elsewhere"):
        assert hosts.batch(*groups(6), out=out) == found
    assert len(hosts.begun) == 12


def test_two_commands_at_once_have_each_item_done_once(hosts: Hosts) -> None:
    hosts.worker()
    hosts.worker()
    with ThreadPoolExecutor(2) as pool:
        # The second asks for more than the first, and for some of the same.
        one = pool.submit(hosts.batch, *groups(4, "sleeps 0.1"), out="one")
        two = pool.submit(hosts.batch, *groups(6, "sleeps 0.1"), out="two")
        assert sorted(one.result()) == names(4)
        assert sorted(two.result()) == names(6)
    assert sorted(hosts.begun) == names(6)


def test_a_failure_is_a_result_and_is_tried_again(hosts: Hosts) -> None:
    hosts.worker()
    for _ in range(2):
        found = hosts.batch({"a": "notes", "b": "fails"})
        assert found == {"a": {"value": "a"}, "b": {"error": "InputError: b"}}
    assert hosts.begun == ["a", "b", "b"]


@pytest.mark.parametrize("who", ["the worker", "its process"])
def test_a_killed_worker_costs_one_task(hosts: Hosts, who: str) -> None:
    hosts.worker()
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(hosts.batch, {"first": "notes", "w": "waits"}, {"other": "notes"})
        wait_for(lambda: "w" in hosts.begun)
        process, worker = hosts.processes_of("w")
        (worker if who == "the worker" else process).kill()
        wait_for(lambda: not lives(process))
        hosts.release()
        hosts.worker()
        assert sorted(done.result()) == ["first", "other", "w"]
    assert sorted(hosts.begun) == ["first", "other", "w", "w"]


def test_a_task_that_kills_its_workers_is_given_up(hosts: Hosts) -> None:
    hosts.worker()
    found = hosts.batch({"a": "dies"}, {"b": "notes"})
    assert found["b"] == {"value": "b"}
    assert str(found["a"]["error"]).startswith("WorkerLostError: 3 workers ended")
    assert hosts.begun.count("a") == 3


def test_who_stops_takes_out_what_waits_and_goes_on_later(hosts: Hosts) -> None:
    hosts.worker()

    def stop(row: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hosts.batch(*groups(5, "sleeps 0.2"), progress=stop)
    wait_for(lambda: len(hosts.begun) in (2, 4))
    found = hosts.batch(*groups(5, "sleeps 0.2"))
    assert sorted(found) == sorted(hosts.begun) == names(5)


def test_nothing_is_begun_that_may_not_begin(hosts: Hosts) -> None:
    hosts.worker()
    enough = threading.Event()
    found = hosts.batch(
        *groups(9, "sleeps 0.2"),
        progress=lambda _: enough.set(),
        may_begin=lambda: not enough.is_set(),
    )
    assert 1 <= len(found) < 9
    assert hosts.batch(*groups(3), out="none", may_begin=lambda: False).keys() <= found.keys()


def test_what_redis_forgets_is_queued_again(hosts: Hosts) -> None:
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(hosts.batch, *groups(2))
        with retrying(hosts.url) as connection:
            wait_for(lambda: connection.llen("rq:queue:batch") == 2)
            connection.flushall()
        hosts.worker()
        assert sorted(done.result()) == names(2)


def test_what_ends_a_batch_is_told_with_the_host(hosts: Hosts) -> None:
    hosts.worker()
    with pytest.raises(InputError, match=r"^worker on .*: ends; what is done is kept"):
        hosts.batch({"ends": "fails"})


def test_a_worker_of_another_version_is_named(hosts: Hosts) -> None:
    hosts.worker()
    with pytest.raises(InputError, match=r"other keys here.*version of fixgate"):
        hosts.batch({"a": "notes"}, kind="other-version")
    with pytest.raises(InputError, match="'unknown' is no work that is known here"):
        hosts.batch({"b": "notes"}, kind="unknown")


def test_a_worker_stays_with_what_it_knows_and_helps_where_most_waits(hosts: Hosts) -> None:
    here = [{f"a{n}": "notes"} for n in range(3)]
    there = [{f"b{n}": "notes"} for n in range(2)]
    mixed = [group for pair in zip(here, [*there, {"b2": "notes"}], strict=True) for group in pair]
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(hosts.batch, *mixed, {"a3": "notes"}, affinities=("a", "b") * 3 + ("a",))
        with retrying(hosts.url) as connection:
            wait_for(lambda: connection.llen("rq:queue:batch:a") == 4)
        hosts.worker()
        done.result()
    assert hosts.begun == ["a0", "a1", "a2", "a3", "b0", "b1", "b2"]


def test_a_worker_that_is_asked_to_end_finishes_what_is_in_hand(hosts: Hosts) -> None:
    worker = hosts.worker()
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(hosts.batch, {"w": "waits"})
        wait_for(lambda: "w" in hosts.begun)
        worker.send_signal(signal.SIGTERM)
        hosts.release()
        assert done.result() == {"w": {"value": "w"}}
        assert worker.wait(60) == 0
