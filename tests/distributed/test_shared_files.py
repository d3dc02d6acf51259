"""What lies beside results reaches the command by a directory or by a bucket."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evaluator.distributed.shared_files import SharedFiles, shared_files
from evaluator.errors import InputError
from tests.distributed.conftest import Buckets, Hosts
from tests.waiting import lives, wait_for

pytestmark = pytest.mark.redis


@pytest.fixture(params=["directory", "bucket"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> SharedFiles:
    if request.param == "directory":
        return shared_files(str(tmp_path / "shared"), tmp_path / "cache")
    buckets: Buckets = request.getfixturevalue("buckets")
    buckets.make("evidence")
    return shared_files("s3://evidence/of/mine", tmp_path / "cache")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def read(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def test_files_and_directories_are_taken_as_they_were_left(
    shared: SharedFiles, tmp_path: Path
) -> None:
    shared.check()
    place = shared.directory("task")
    left = {"gold/a b": "1", "gold/in/é%2F.txt": "2", "gold.json": "3", "golden": "4"}
    for name, text in left.items():
        write(place / name, text)
    write(place / "gold" / ".begun", "half")
    shared.publish("task")
    shared.take("task", Path("gold"), tmp_path / "out" / "gold")
    assert read(tmp_path / "out") == {"gold/a b": "1", "gold/in/é%2F.txt": "2"}
    shared.take("task", Path("gold.json"), tmp_path / "out" / "gold.json")
    shared.take("task", Path("nothing"), tmp_path / "out" / "nothing")
    assert (tmp_path / "out" / "gold.json").read_text() == "3"
    assert not (tmp_path / "out" / "nothing").exists()


def test_what_comes_later_is_published_too_and_replaces(
    shared: SharedFiles, tmp_path: Path
) -> None:
    for text in ("first", "second"):
        write(shared.directory("task") / "log", text)
        shared.publish("task")
    shared.take("task", Path("log"), tmp_path / "log")
    assert (tmp_path / "log").read_text() == "second"


def test_workers_leave_files_in_a_bucket_and_keep_none(hosts: Hosts, buckets: Buckets) -> None:
    buckets.make("evidence")
    hosts.place = "s3://evidence/run"
    hosts.worker()
    assert hosts.batch({"a": "notes", "b": "notes"}).keys() == {"a", "b"}
    assert read(hosts.folder / "out" / "files") == {"a": "a", "b": "b"}
    assert not read(hosts.folder / "cache" / "leaving")


def test_a_worker_is_killed_with_files_in_hand(hosts: Hosts, buckets: Buckets) -> None:
    buckets.make("evidence")
    hosts.place = "s3://evidence"
    hosts.worker()
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(hosts.batch, {"first": "notes", "w": "waits"})
        wait_for(lambda: "w" in hosts.begun)
        process, worker = hosts.processes_of("w")
        worker.kill()
        wait_for(lambda: not lives(process))
        hosts.release()
        hosts.worker()
        assert sorted(done.result()) == ["first", "w"]
    assert read(hosts.folder / "out" / "files") == {"first": "first", "w": "w"}


def test_a_bucket_that_is_not_there_is_named(buckets: Buckets, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^--shared s3://none/x: .*NoSuchBucket"):
        shared_files("s3://none/x", tmp_path).check()


def test_a_bucket_that_goes_away_ends_the_batch(hosts: Hosts, buckets: Buckets) -> None:
    buckets.make("evidence")
    hosts.place = "s3://evidence"
    hosts.worker()
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(hosts.batch, {"w": "waits"})
        wait_for(lambda: "w" in hosts.begun)
        buckets.remove_all()
        hosts.release()
        with pytest.raises(InputError, match=r"^worker on .*: --shared s3://evidence: .*; what is"):
            done.result()


@pytest.mark.parametrize("place", ["ftp://host/x", "s3://", "s4://bucket"])
def test_what_is_no_place_is_refused(place: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is neither a directory nor one of s3://BUCKET"):
        shared_files(place, tmp_path)


def test_a_file_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"^--shared .*/file: "):
        shared_files(str(tmp_path / "file"), tmp_path).check()
