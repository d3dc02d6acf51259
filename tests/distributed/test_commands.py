"""The commands with a queue: the same reports as without, whoever is killed on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from evaluator.demo.sample import lay_sample
from evaluator.report.document import without_timings
from tests.command_line import fixgate
from tests.conftest import RedisServer
from tests.filtering.conftest import FIXES, by_name, document, write_rows
from tests.waiting import lives, wait_for

pytestmark = pytest.mark.redis


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "sample"
    lay_sample(folder)
    return folder


def shared(sample: Path, cache: Path) -> list[str]:
    repository = str(sample / "repository" / ".git")
    return ["--sandbox", "process", "--repos", repository, "--cache", str(cache), "--offline"]


def replay(sample: Path, cache: Path, out: Path, *more: str) -> list[str]:
    predictions = ["--predictions", "gold", "--predictions", str(sample / "careful.jsonl")]
    given = [str(sample / "instances.jsonl"), *predictions, "--out", str(out)]
    return ["replay", *given, *shared(sample, cache), *more]


def told(out: Path) -> str:
    document = json.loads((out / "report.json").read_text())
    return json.dumps(without_timings(document), sort_keys=True)


def kept(out: Path) -> set[str]:
    # Hidden are the beginnings of files whose writer was killed.
    files = (path for path in out.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {str(path.relative_to(out)) for path in files}


def test_a_replay_with_a_queue_of_its_own_tells_the_same(sample: Path, tmp_path: Path) -> None:
    plain = fixgate(replay(sample, tmp_path / "cache", tmp_path / "a"))
    spread = fixgate(
        replay(sample, tmp_path / "cache", tmp_path / "b", "--queue", "embedded", "--workers", "2")
    )
    assert plain.returncode == spread.returncode == 0, spread.stderr
    assert told(tmp_path / "a") == told(tmp_path / "b")
    assert kept(tmp_path / "a") == kept(tmp_path / "b")
    assert plain.stdout.splitlines()[:-1] == spread.stdout.splitlines()[:-1]


def test_generation_with_a_queue_writes_the_same_rows(sample: Path, tmp_path: Path) -> None:
    rows = []
    for name, more in (("a", []), ("b", ["--queue", "embedded", "--workers", "2"])):
        out = tmp_path / name / "rows.jsonl"
        given = [str(sample / "instances.jsonl"), "--out", str(out), "--budget-minutes", "30"]
        done = fixgate(["generate", *given, *shared(sample, tmp_path / "cache"), *more])
        assert done.returncode == 0, done.stderr
        read = [json.loads(line) for line in out.read_text().splitlines()]
        rows.append(sorted(({**r, "seconds": 0} for r in read), key=lambda r: r["instance_id"]))
        assert len(list(out.parent.glob("rows.jsonl.trajectories/*.traj.json"))) == len(read)
    assert rows[0] == rows[1]


def test_a_filter_with_a_queue_judges_the_same(sample: Path, tmp_path: Path) -> None:
    write_rows(tmp_path / "fixes.jsonl", *FIXES)
    judged = []
    for name, more in (("a", []), ("b", ["--queue", "embedded", "--workers", "2"])):
        given = [str(sample / "instances.jsonl"), "--fixes", str(tmp_path / "fixes.jsonl")]
        given += ["--tests", str(sample / "careful.jsonl"), "--out", str(tmp_path / name)]
        done = fixgate(["filter", *given, *shared(sample, tmp_path / "cache"), *more])
        assert done.returncode == 0, done.stderr
        fixes = by_name(document(tmp_path / name))
        judged.append({key: (fix["state"], fix["decision"]) for key, fix in fixes.items()})
    assert judged[0] == judged[1]
    assert {decision for _, decision in judged[0].values()} >= {"accept", "reject"}


def test_workers_and_the_command_are_killed_and_the_report_is_the_same(
    sample: Path, tmp_path: Path, redis_server: RedisServer
) -> None:
    program = str(Path(sys.executable).parent / "fixgate")
    worker = [program, "worker", "--queues", "batch", "--redis", redis_server.url]
    worker += shared(sample, tmp_path / "cache")
    command = replay(sample, tmp_path / "cache", tmp_path / "b", "--queue", redis_server.url)

    def started(arguments: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    first, asking = started(worker), started([program, *command])
    wait_for(lambda: any((tmp_path / "cache" / "batch").glob("*")), every=0.02)
    for process in (first, asking):
        process.kill()
        process.wait()
    second = started(worker)
    try:
        assert fixgate(command).returncode == 0
    finally:
        second.terminate()
        second.wait()
    assert fixgate(replay(sample, tmp_path / "cache", tmp_path / "a")).returncode == 0
    assert told(tmp_path / "a") == told(tmp_path / "b")
    assert kept(tmp_path / "a") == kept(tmp_path / "b")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_outlives_a_command_with_a_queue_of_its_own(
    sample: Path, tmp_path: Path, how: signal.Signals
) -> None:
    program = str(Path(sys.executable).parent / "fixgate")
    arguments = replay(sample, tmp_path / "cache", tmp_path / "out", "--queue", "embedded")
    with subprocess.Popen([program, *arguments], stderr=subprocess.DEVNULL) as process:
        wait_for(lambda: any((tmp_path / "cache" / "batch").glob("*")), every=0.02)
        others = psutil.Process(process.pid).children(recursive=True)
        assert len(others) >= 2
        os.kill(process.pid, how)
        began = time.monotonic()
        process.wait(60)
        wait_for(lambda: not any(map(lives, others)), 30)
        assert time.monotonic() - began < 30


def test_what_cannot_be_used_is_said(sample: Path, tmp_path: Path) -> None:
    base = replay(sample, tmp_path / "cache", tmp_path / "out")
    for more, message in (
        (["--queue", "here"], "'here' names no Redis"),
        (["--queue", "redis://:secret@127.0.0.1:1/0"], "no Redis answers at 127.0.0.1:1/0"),
        (["--shared", str(tmp_path)], "--shared belongs to --queue"),
    ):
        done = fixgate([*base, *more])
        assert done.returncode == 2
        assert message in done.stderr
        assert "secret" not in done.stderr
