"""A batch on several hosts that share nothing but a queue and a bucket."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from evaluator.demo.sample import lay_sample
from evaluator.report.document import without_timings
from tests.command_line import fixgate
from tests.distributed.hosts import CENTRE, Host, network
from tests.waiting import wait_for

pytestmark = [pytest.mark.redis, pytest.mark.hosts]

PROGRAM = str(Path(sys.executable).parent / "fixgate")
QUEUE = f"redis://:a-password@{CENTRE}:6379/0"
ENDPOINT = f"http://{CENTRE}:5000"
BUCKET = {
    "AWS_ENDPOINT_URL": ENDPOINT,
    "AWS_ALLOW_HTTP": "true",
    "AWS_ACCESS_KEY_ID": "someone",
    "AWS_SECRET_ACCESS_KEY": "a-secret-of-someone",
    "AWS_REGION": "us-east-1",
}


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[Sequence[Host]]:
    """The one that asks, with Redis and a store of buckets, and two that work."""
    with network(tmp_path, "centre", "one", "two") as made:
        _serve(made[0])
        yield made


def _serve(centre: Host) -> None:
    files = ["--dir", str(centre.place), "--save", "", "--appendonly", "yes"]
    centre.start(
        ["redis-server", "--bind", CENTRE, "--port", "6379", "--requirepass", "a-password", *files]
    )
    store = "from moto.server import main; main(['-H', '10.213.0.1', '-p', '5000'])"
    centre.start([sys.executable, "-c", store])
    bucket = f"""
import time, requests
for _ in range(300):
    try:
        requests.put("{ENDPOINT}/evidence", timeout=10).raise_for_status()
        break
    except requests.ConnectionError:
        time.sleep(0.1)
else:
    raise SystemExit("no bucket can be made")
"""
    assert centre.start([sys.executable, "-c", bucket]).wait() == 0, _log(centre)


def _worker(host: Host) -> subprocess.Popen[bytes]:
    """A worker with a repository and a cache that lie on its host only."""
    lay_sample(host.place / "sample")
    queue = ["--queues", "batch", "--redis", QUEUE, "--shared", "s3://evidence/batch"]
    return host.start([PROGRAM, "worker", *queue, *_of(host.place)], BUCKET)


def _replay(rows: Path, place: Path) -> list[str]:
    predictions = ["--predictions", "gold", "--predictions", str(rows / "careful.jsonl")]
    out = ["--out", str(place / "out")]
    return ["replay", str(rows / "instances.jsonl"), *predictions, *out, *_of(place)]


def _of(place: Path) -> list[str]:
    repository = str(place / "sample" / "repository" / ".git")
    where = ["--repos", repository, "--cache", str(place / "cache")]
    return [*where, "--sandbox", "process", "--offline"]


def _log(host: Host) -> str:
    return (host.place / "log").read_text()


def _files(out: Path) -> set[str]:
    files = (path for path in out.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {str(path.relative_to(out)) for path in files}


def _report(place: Path) -> str:
    document = json.loads((place / "out" / "report.json").read_text())
    return json.dumps(without_timings(document), sort_keys=True)


def _has_begun(host: Host) -> bool:
    return any((host.place / "cache" / "leaving").glob("*/*"))


def test_a_host_is_lost_and_another_one_finishes_with_the_same_report(
    hosts: Sequence[Host], tmp_path: Path
) -> None:
    centre, one, two = hosts
    lay_sample(centre.place / "sample")
    command = _replay(centre.place / "sample", centre.place)
    spread = ["--queue", QUEUE, "--shared", "s3://evidence/batch"]
    asking = centre.start([PROGRAM, *command, *spread], BUCKET)
    _worker(one)
    wait_for(lambda: _has_begun(one) or asking.poll() is not None, every=0.02)
    one.lose()
    _worker(two)
    assert asking.wait(200) == 0, _log(centre) + _log(two)
    assert _has_begun(two)

    shutil.copytree(centre.place / "sample", tmp_path / "alone" / "sample")
    alone = _replay(centre.place / "sample", tmp_path / "alone")
    assert fixgate(alone).returncode == 0
    assert _report(centre.place) == _report(tmp_path / "alone")
    assert _files(centre.place / "out") == _files(tmp_path / "alone" / "out")
