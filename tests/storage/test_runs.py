from __future__ import annotations

import dataclasses
import threading
import time
from pathlib import Path

import pytest

from evaluator.model import Failure, Frame, Phase, Run, Status, TestOutcome
from evaluator.sandbox.protocol import ExitReason
from evaluator.storage.keys import content_key
from evaluator.storage.runs import RunCache

RUN = Run(
    outcomes={
        "t.py::a": TestOutcome(
            "t.py::a",
            "t.py",
            Status.FAILED,
            Phase.CALL,
            0.25,
            Failure("ValueError", "no \udcff \u2028 way", Frame("code.py", 3, "f")),
        )
    },
    hits={"code.py": {3: 12}},
    contexts={"t.py::a": {"code.py": (3,)}},
    ending=ExitReason.TIMEOUT,
    exit_code=None,
    output="…",
    wall_seconds=1.5,
    command="pytest t.py",
)


def never() -> Run:
    raise AssertionError("made twice")


def test_a_run_is_made_once_and_comes_back_as_it_was(tmp_path: Path) -> None:
    assert RunCache(tmp_path).get("ab12", lambda: RUN) == RUN
    assert RunCache(tmp_path).get("ab12", never) == RUN


@pytest.mark.parametrize("suffices", [True, False])
def test_a_run_that_was_cut_serves_those_for_whom_it_does(
    tmp_path: Path, *, suffices: bool
) -> None:
    cache = RunCache(tmp_path)
    longer = dataclasses.replace(RUN, wall_seconds=9.0)

    def ask(run: Run, *, cut: bool) -> Run:
        return cache.get_impatiently(
            "ab12", lambda: run, is_cut=lambda _: cut, suffices=lambda _: suffices
        )

    assert ask(RUN, cut=True) == RUN
    assert ask(longer, cut=True) == (RUN if suffices else longer)
    # A whole run is nobody's but by its key, and is found first.
    whole = dataclasses.replace(RUN, ending=ExitReason.EXITED)
    assert cache.get("ab12", lambda: whole) == whole
    assert ask(longer, cut=True) == whole


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    RunCache(tmp_path).get("ab12", lambda: RUN)
    (kept,) = tmp_path.rglob("*.json.gz")
    kept.write_bytes(kept.read_bytes()[:40])
    assert RunCache(tmp_path).get("ab12", lambda: RUN) == RUN
    assert RunCache(tmp_path).get("ab12", never) == RUN


def test_whoever_asks_meanwhile_waits_for_the_first(tmp_path: Path) -> None:
    made: list[int] = []
    asking = threading.Semaphore(0)

    def slowly() -> Run:
        made.append(1)
        assert all(asking.acquire(timeout=60) for _ in range(4))
        # Time to come in, for whoever is not kept out.
        time.sleep(0.2)
        return RUN

    def ask() -> None:
        cache = RunCache(tmp_path)
        asking.release()
        cache.get("k1", slowly)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_an_error_keeps_nothing(tmp_path: Path) -> None:
    cache = RunCache(tmp_path)
    with pytest.raises(AssertionError):
        cache.get("k1", never)
    assert cache.get("k1", lambda: RUN) == RUN


def test_the_key_depends_on_every_part_but_not_on_their_order() -> None:
    assert content_key({"a": 1, "b": [2]}) == content_key({"b": [2], "a": 1})
    assert content_key({"a": 1}) != content_key({"a": 2})
