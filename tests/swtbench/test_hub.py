"""Datasets by their name on the hub: from the hub, from its local cache, or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from .conftest import row

NAME = "owner/data"
COMMIT = "c" * 40
FILE = "data/test-00000-of-00001.parquet"

LOAD = """
import sys
from evaluator.errors import InputError
from evaluator.swtbench.dataset import load_instances
try:
    print(*[i.instance_id for i in load_instances(sys.argv[1]).instances])
except InputError as error:
    print("refused:", error)
"""


def load(source: str, home: Path, script: str = LOAD, **variables: str) -> str:
    """What loading says, in a process of its own: the hub's library reads its settings once."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    environment = kept | {"HF_HOME": str(home), "HF_HUB_DISABLE_TELEMETRY": "1", **variables}
    command = [sys.executable, "-c", script, source]
    done = subprocess.run(
        command, env=environment, cwd=home, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def parquet(tmp_path: Path) -> bytes:
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([row(1), row(2)]), path)
    return path.read_bytes()


class _Hub(BaseHTTPRequestHandler):
    pages: Mapping[str, bytes]

    def do_GET(self) -> None:
        body = self.pages.get(self.path.partition("?")[0])
        self.send_response(404 if body is None else 200)
        if body is None:
            self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("Content-Length", str(len(body or b"")))
        self.send_header("ETag", f'"{hashlib.sha256(body or b"").hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body or b"")

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub(parquet: bytes) -> Iterator[str]:
    """The address of a hub with one dataset."""
    api = f"/api/datasets/{NAME}"
    entry = {"type": "file", "path": FILE, "size": len(parquet), "oid": "0" * 40}
    about = {"id": NAME, "sha": COMMIT, "siblings": [{"rfilename": FILE}]}
    pages = {
        f"{api}/revision/main": json.dumps(about).encode(),
        f"{api}/tree/{COMMIT}": json.dumps([entry]).encode(),
        f"/datasets/{NAME}/resolve/{COMMIT}/{FILE}": parquet,
    }
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Hub", (_Hub,), {"pages": pages}))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_dataset_comes_from_the_hub_and_then_from_its_cache(hub: str, home: Path) -> None:
    ids = "owner__name-1 owner__name-2"
    assert load(NAME, home, HF_ENDPOINT=hub) == ids
    assert load(f"{NAME}:test", home, HF_HUB_OFFLINE="1") == ids


def test_a_dataset_that_the_hub_does_not_have(hub: str, home: Path) -> None:
    said = load("owner/other", home, HF_ENDPOINT=hub)
    assert said.startswith("refused: owner/other: the hub has no such dataset")
    assert "HF_TOKEN" in said


def test_a_split_that_the_dataset_does_not_have(hub: str, home: Path) -> None:
    said = load(f"{NAME}:dev", home, HF_ENDPOINT=hub)
    assert said == (
        f"refused: {NAME}: has no Parquet files of a split 'dev'; name one as {NAME}:SPLIT"
    )


@pytest.mark.parametrize(
    "variables", [{"HF_ENDPOINT": "http://127.0.0.1:9"}, {"HF_HUB_OFFLINE": "1"}]
)
def test_a_hub_that_cannot_be_reached(home: Path, variables: dict[str, str]) -> None:
    said = load(NAME, home, **variables)
    assert said.startswith(f"refused: {NAME}: there is no file of this name, and the dataset ")
    assert "Download its Parquet file elsewhere" in said
    assert "\n" not in said


@pytest.mark.parametrize("module", ["huggingface_hub", "pyarrow"])
def test_without_the_extra(hub: str, home: Path, module: str) -> None:
    script = f"import sys; sys.modules['{module}'] = None\n{LOAD}"
    said = load(NAME, home, script, HF_ENDPOINT=hub)
    assert said.startswith("refused: ")
    assert "pip install 'fixgate[hub]'" in said


def test_a_file_of_that_name_goes_first(home: Path) -> None:
    (home / "owner").mkdir()
    (home / "owner/data").write_text(json.dumps(row(7)))
    assert load(NAME, home, HF_HUB_OFFLINE="1") == "owner__name-7"


@pytest.mark.parametrize("source", ["a/b/c", "name", "a b/c", "owner/data:", "owner/data.jsonl"])
def test_what_is_no_dataset_name_is_a_missing_file(home: Path, source: str) -> None:
    said = load(source, home, HF_HUB_OFFLINE="1")
    assert said.startswith(f"refused: {source}: no such file; name a .jsonl, .json or .parquet")
