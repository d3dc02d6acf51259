"""That a batch works on everything once, whatever breaks, and goes on after any death."""

from __future__ import annotations

import functools
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.batch import Item, ResultStore, run_batch, shared
from evaluator.errors import InputError
from evaluator.storage.results import ResultFiles, ResultLines, Row
from tests.waiting import kill_once

ROOT = Path(__file__).parents[2]
Groups = list[list[str]]
KEY = "k"

components = st.text("ab.é ", min_size=1, max_size=3).map(lambda text: f"n{text}")
names = st.lists(components, min_size=1, max_size=2).map("/".join)


@st.composite
def groups(draw: st.DrawFn) -> Groups:
    """Names, each once, in groups."""
    drawn = draw(st.lists(names, unique=True, max_size=12))
    starts = draw(st.lists(st.booleans(), min_size=len(drawn), max_size=len(drawn)))
    found: Groups = [[]]
    for name, starts_group in zip(drawn, starts, strict=True):
        if starts_group:
            found.append([])
        found[-1].append(name)
    return found


def files(directory: Path) -> ResultStore[Row]:
    return ResultFiles(directory, "row", to_json=dict, from_json=dict, is_final=is_final)


def lines(directory: Path) -> ResultStore[Row]:
    return ResultLines(directory / "rows.jsonl", is_final)


def is_final(row: Row) -> bool:
    return "error" not in row


def refused(error: Exception) -> Row:
    raise error


class Work:
    """Items whose work is written down; those of `broken` names raise."""

    def __init__(self, broken: set[str]) -> None:
        self.broken = broken
        self.worked: list[str] = []

    def items(self, names: list[str], key: str = KEY) -> Iterator[Item[Row]]:
        for name in names:
            yield Item(name, key, functools.partial(self.work, name), failed)

    def work(self, name: str) -> Row:
        self.worked.append(name)
        if name in self.broken:
            raise ValueError(name)
        return {"value": name}


def failed(error: Exception) -> Row:
    return {"error": str(error)}


def values(found: Mapping[str, Row]) -> dict[str, object]:
    return {name: row.get("value") or row["error"] for name, row in found.items()}


@pytest.mark.parametrize("store", [files, lines])
@given(groups=groups(), data=st.data(), workers=st.integers(1, 4))
def test_every_item_has_its_result_and_only_unfinished_ones_are_worked_on_again(
    store: Callable[[Path], ResultStore[Row]], groups: Groups, data: st.DataObject, workers: int
) -> None:
    every = [name for group in groups for name in group]
    broken = set(data.draw(st.lists(st.sampled_from(every)) if every else st.just([])))
    reported: list[Row] = []
    with tempfile.TemporaryDirectory() as directory:
        first, again, other = Work(broken), Work(set()), Work(set())
        for work, key in ((first, KEY), (again, KEY), (other, "another")):
            found = run_batch(
                (work.items(group, key) for group in groups),
                store(Path(directory)),
                workers=workers,
                progress=reported.append,
            )
            assert values(found) == {name: name for name in every}
    assert sorted(first.worked) == sorted(other.worked) == sorted(every)
    assert sorted(again.worked) == sorted(broken)
    assert len(reported) == 3 * len(every)


def test_items_of_a_group_follow_each_other_and_groups_run_side_by_side(tmp_path: Path) -> None:
    at_once, order = threading.Barrier(3), list[str]()

    def work(name: str) -> Row:
        at_once.wait(timeout=60)
        order.append(name)
        return {}

    def items(group: str) -> Iterator[Item[Row]]:
        for number in "123":
            name = f"{group}{number}"
            yield Item(name, KEY, functools.partial(work, name), refused)

    run_batch(map(items, "abc"), files(tmp_path), workers=3, progress=lambda _: None)
    for group in "abc":
        assert [name for name in order if name[0] == group] == [f"{group}{n}" for n in "123"]


@given(workers=st.integers(1, 4))
def test_no_more_work_at_once_than_there_are_workers(workers: int) -> None:
    running, most, lock = 0, 0, threading.Lock()

    def work() -> Row:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        with lock:
            running -= 1
        return {}

    with tempfile.TemporaryDirectory() as directory:
        items = [[Item(str(n), KEY, work, refused)] for n in range(12)]
        run_batch(items, lines(Path(directory)), workers=workers, progress=lambda _: None)
    assert 1 <= most <= workers


def test_what_may_not_begin_has_no_result_but_what_is_kept_does(tmp_path: Path) -> None:
    left = iter((True, False, False))
    for limit, expected in ((lambda: next(left), ["a"]), (lambda: False, ["a"])):
        found = run_batch(
            [Work(set()).items(["a", "b", "c"])],
            files(tmp_path),
            workers=1,
            progress=lambda _: None,
            may_begin=limit,
        )
        assert list(found) == expected
    assert len(list(tmp_path.iterdir())) == 1


def test_a_failure_that_no_result_can_be_made_of_ends_the_batch(tmp_path: Path) -> None:
    work = Work({"b"})
    items = [[Item(name, KEY, functools.partial(work.work, name), refused)] for name in "abcd"]
    with pytest.raises(ValueError, match="b"):
        run_batch(items, files(tmp_path), workers=1, progress=lambda _: None)
    assert work.worked[:2] == ["a", "b"]
    assert files(tmp_path).read("a", KEY) == {"value": "a"}


@pytest.mark.parametrize("store", [files, lines])
def test_after_an_interruption_what_has_begun_is_kept_and_nothing_else_begins(
    store: Callable[[Path], ResultStore[Row]], tmp_path: Path
) -> None:
    begun, cancelled, work = threading.Event(), threading.Event(), Work(set())

    def slow() -> Row:
        begun.set()
        return other()

    def other() -> Row:
        assert cancelled.wait(timeout=60)
        return {"value": "late"}

    def interrupt(_: Row) -> None:
        assert begun.wait(timeout=60)
        raise KeyboardInterrupt

    def groups() -> Iterator[Iterator[Item[Row]]]:
        yield work.items(["first"])
        for each in (slow, other):
            item = Item(each.__name__, KEY, each, refused)
            yield itertools.chain([item], work.items([f"after {item.name}"]))
        waiting = work.items(["late"])
        # Whoever cancels what waits lets go of it.
        weakref.finalize(waiting, cancelled.set)
        yield waiting

    with pytest.raises(KeyboardInterrupt):
        run_batch(groups(), store(tmp_path), workers=2, progress=interrupt)
    kept = store(tmp_path)
    assert kept.read("first", KEY) is not None
    assert kept.read("slow", KEY) is not None
    assert work.worked == ["first"]
    for name in ("after slow", "after other", "late"):
        assert kept.read(name, KEY) is None


NAMES = [f"n{number}" for number in range(12)]
BALLAST = "x" * 20_000
"""Makes a result long, so that a kill in the midst of writing is likely."""


def groups_of_two(work: Work) -> list[Iterator[Item[Row]]]:
    return [work.items(NAMES[at : at + 2]) for at in range(0, len(NAMES), 2)]


class Mortal(Work):
    """Work in a process that ends, or waits to be ended, at one name."""

    def __init__(self, end: str, what: str) -> None:
        super().__init__(set())
        self._end = end
        self._what = what

    def work(self, name: str) -> Row:
        if name == self._end and self._what == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if name == self._end and self._what == "wait":
            threading.Event().wait()
        return {**super().work(name), "ballast": BALLAST}


def main(directory: Path, store: str, workers: int, end: str, what: str) -> None:
    """A batch in a process of its own; what it reports is written down at once."""
    with (directory / "reported").open("a", buffering=1) as reported:
        run_batch(
            groups_of_two(Mortal(end, what)),
            {"files": files, "lines": lines}[store](directory),
            workers=workers,
            progress=lambda row: print(row["value"], file=reported),
        )


def program(directory: Path, store: str, workers: int, end: str, what: str) -> list[str]:
    call = f"main(Path({str(directory)!r}), {store!r}, {workers}, {end!r}, {what!r})"
    found = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from pathlib import Path"
    return [sys.executable, "-c", f"{found}; from tests.batch.test_batch import main; {call}"]


def finish(directory: Path, store: str) -> tuple[list[str], list[str]]:
    """Go on after a death: the names that were reported before it, and those worked on now."""
    reported = (directory / "reported").read_text().split()
    work = Work(set())
    found = run_batch(
        groups_of_two(work),
        {"files": files, "lines": lines}[store](directory),
        workers=2,
        progress=lambda _: None,
    )
    assert values(found) == {name: name for name in NAMES}
    return reported, work.worked


@pytest.mark.parametrize("store", ["files", "lines"])
@pytest.mark.parametrize(("workers", "end"), [(1, "n0"), (1, "n7"), (3, "n5"), (3, "n11")])
def test_a_killed_batch_goes_on(tmp_path: Path, store: str, workers: int, end: str) -> None:
    killed = subprocess.run(program(tmp_path, store, workers, end, "kill"), check=False)
    assert killed.returncode == -signal.SIGKILL
    reported, worked = finish(tmp_path, store)
    assert end in worked
    assert not set(reported) & set(worked)
    if workers == 1:
        assert sorted(worked) == sorted(NAMES[NAMES.index(end) :])


@pytest.mark.parametrize("store", ["files", "lines"])
def test_a_batch_that_is_killed_from_outside_goes_on(tmp_path: Path, store: str) -> None:
    def ready() -> bool:
        return (tmp_path / "reported").exists() and "n1" in (tmp_path / "reported").read_text()

    kill_once(program(tmp_path, store, 2, "n11", "wait"), ready)
    reported, worked = finish(tmp_path, store)
    assert "n1" in reported
    assert "n11" in worked
    assert not set(reported) & set(worked)


@given(rows=st.lists(names, unique=True, min_size=1, max_size=5), data=st.data())
def test_lines_that_were_cut_anywhere_lose_no_whole_row(
    rows: list[str], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        kept = lines(Path(directory))
        for name in rows:
            kept.write(name, KEY, {"value": name})
        path = Path(directory, "rows.jsonl")
        whole = path.read_bytes()
        path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
        complete = path.read_bytes().count(b"\n")
        again = lines(Path(directory))
        found = [name for name in rows if again.read(name, KEY) is not None]
        assert found in (rows[:complete], rows[: complete + 1])
        again.write("last", KEY, {"value": "last"})
        written = [json.loads(line)["instance_id"] for line in path.read_text().splitlines()]
        assert written == [*found, "last"]


@given(content=st.binary(max_size=60))
def test_a_file_of_anything_is_no_result(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "n.json").write_bytes(content)
        assert files(Path(directory)).read("n", KEY) is None


@given(content=st.binary(max_size=60))
def test_a_file_of_anything_is_refused_and_stays(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "rows.jsonl")
        path.write_bytes(b"\xff" + content)
        with pytest.raises(InputError, match=r"rows\.jsonl"):
            lines(Path(directory))
        assert path.read_bytes() == b"\xff" + content


def test_what_is_shared_is_made_once_and_only_if_it_is_asked_for() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    get = shared(make)
    assert not made
    assert (get(), get(), made) == (1, 1, [1])


def test_an_error_in_what_is_shared_comes_to_all_who_ask() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        raise ValueError("broken")

    get = shared(make)
    for _ in range(3):
        with pytest.raises(ValueError, match="broken"):
            get()
    assert made == [1]
