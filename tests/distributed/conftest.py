"""Batches on a real Redis, with worker processes that can be killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import psutil
import pytest
import requests
from moto.server import ThreadedMotoServer

from evaluator.batch import ResultStore, run_batch
from evaluator.distributed.batch_worker import BatchWorkerSettings
from evaluator.distributed.carrier import QueueCarrier
from evaluator.distributed.connections import retrying
from evaluator.distributed.shared_files import shared_files
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.storage import ResultFiles, Row, as_json
from evaluator.workspace import WorkspaceSettings
from tests.conftest import RedisServer
from tests.distributed.stand_in import KINDS, is_final, items

ROOT = Path(__file__).parents[2]


class Hosts:
    """What a test works with: workers, and batches that they carry out."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url = folder, url
        self.place = str(folder / "shared")
        self.said: list[str] = []
        self.workers: list[subprocess.Popen[bytes]] = []

    def worker(self) -> subprocess.Popen[bytes]:
        settings = BatchWorkerSettings(
            redis_url=self.url,
            shared=self.place,
            kinds=KINDS,
            workspace=WorkspaceSettings((), self.folder / "cache", ResourceLimits()),
            sandbox="process",
            beat_seconds=1,
        )
        text = json.dumps(as_json(settings))
        command = [sys.executable, "-m", "tests.distributed.stand_in", text]
        with (self.folder / "log").open("ab") as log:
            self.workers.append(subprocess.Popen(command, stderr=log, stdout=log, cwd=ROOT))
        return self.workers[-1]

    def batch(
        self,
        *groups: Mapping[str, str],
        out: str = "out",
        affinities: tuple[str, ...] = (),
        kind: str = "stand-in",
        progress: Callable[[Row], None] = lambda _: None,
        may_begin: Callable[[], bool] = lambda: True,
    ) -> Mapping[str, Row]:
        """Have groups carried out; each a mapping of names to what is done."""
        place = self.folder / out
        store: ResultStore[Row] = ResultFiles(
            place, "row", to_json=dict, from_json=dict, is_final=is_final
        )
        connection = retrying(self.url)
        shared = shared_files(self.place, self.folder / "cache")
        carrier = QueueCarrier(
            connection, shared, ResourceLimits(), self.said.append, look_seconds=0.3
        )
        many = affinities or ("",) * len(groups)
        try:
            return run_batch(
                (
                    items(self.folder, dict(group), place, affinity=affinity, kind=kind)
                    for group, affinity in zip(groups, many, strict=True)
                ),
                store,
                workers=1,
                progress=progress,
                may_begin=may_begin,
                carrier=carrier,
            )
        finally:
            connection.close()

    @property
    def begun(self) -> list[str]:
        """The names of what was begun, in this order."""
        return [line[0] for line in self._lines()]

    def processes_of(self, name: str) -> tuple[psutil.Process, psutil.Process]:
        """The process that works on an item, and its worker."""
        line = next(line for line in self._lines() if line[0] == name)
        return psutil.Process(int(line[1])), psutil.Process(int(line[2]))

    def release(self) -> None:
        """Let what waits end."""
        (self.folder / "released").touch()

    def close(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.wait()

    def _lines(self) -> list[list[str]]:
        path = self.folder / "begun"
        return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def hosts(tmp_path: Path, redis_server: RedisServer) -> Iterator[Hosts]:
    made = Hosts(tmp_path, redis_server.url)
    yield made
    made.close()


class Buckets:
    """A server of S3 and the variables by which it is found, in this process and its children."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        self._server.start()
        host, port = self._server.get_host_and_port()
        self.address = f"http://{host}:{port}"
        monkeypatch.setenv("AWS_ENDPOINT_URL", self.address)
        monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "someone")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a-secret-of-someone")
        monkeypatch.setenv("AWS_REGION", "us-east-1")

    def make(self, name: str) -> None:
        requests.put(f"{self.address}/{name}", timeout=10).raise_for_status()

    def remove_all(self) -> None:
        requests.post(f"{self.address}/moto-api/reset", timeout=10).raise_for_status()

    def close(self) -> None:
        self._server.stop()


@pytest.fixture
def buckets(monkeypatch: pytest.MonkeyPatch) -> Iterator[Buckets]:
    made = Buckets(monkeypatch)
    yield made
    made.close()
