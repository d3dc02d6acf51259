"""A real Redis beside tests: where there is one, and what is said where there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluator.errors import SandboxError
from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.discover import discover_recipe
from evaluator.languages.python.environment.types import PythonEnvironment
from evaluator.model import Run
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.bubblewrap import BubblewrapSandbox
from evaluator.sandbox.process import ProcessSandbox
from evaluator.sandbox.protocol import ResourceLimits, Sandbox
from tests.conftest import RedisServer
from tests.languages.python.environment.test_postgresql import Bare

from .conftest import Write

PYPROJECT = '[project]\nname = "shop"\nversion = "1"\ndependencies = ["redis"]\n'
TEST = """
import socket, unittest

class ShopTest(unittest.TestCase):
    def test_shop(self):
        with socket.create_connection(("127.0.0.1", PORT)) as redis:
            redis.sendall(b"INCR runs\\r\\n")
            self.assertEqual(redis.recv(100), b":1\\r\\n")
"""
Build = Callable[[Sandbox], PythonEnvironment]


@pytest.fixture
def build(write_tree: Write, index: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Builds the environment of a project with the client of Redis, and tests that ask one."""
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    index.add_wheel("redis", "5.0")
    tree = write_tree({"pyproject.toml": PYPROJECT, "test_shop.py": TEST.replace("PORT", "6379")})

    def build(sandbox: Sandbox) -> PythonEnvironment:
        builder = PythonBuilder(
            tmp_path / "cache", sandbox=sandbox, index_url=f"{index.url}/simple"
        )
        return builder.build(discover_recipe(tree), date=None, tree=tree, tree_key="tree")

    return build


def run(environment: PythonEnvironment, tree: Path, sandbox: Sandbox) -> Run:
    limits = ResourceLimits(wall_seconds=120)
    return run_tests(sandbox, RunRequest(tree, environment, ("test_shop.py",), limits=limits))


@pytest.mark.redis
@pytest.mark.bubblewrap
def test_each_run_has_one_of_its_own(build: Build, tmp_path: Path) -> None:
    environment = build(BubblewrapSandbox())
    assert environment.absent == ()
    for _ in range(2):
        done = run(environment, tmp_path / "tree", BubblewrapSandbox())
        (outcome,) = done.outcomes.values()
        assert outcome.status == "passed", f"{outcome.failure}\n{done.output}"


@pytest.mark.parametrize(
    ("sandbox", "reason"),
    [
        (Bare(), "no server is installed: apt-get install redis-server, or in docker --image with"),
        (ProcessSandbox(), "the sandbox `process` has no network of its own"),
    ],
    ids=["bare", "process"],
)
def test_without_one_an_environment_says_why(build: Build, sandbox: Sandbox, reason: str) -> None:
    environment = build(sandbox)
    (absent,) = environment.absent
    assert absent.name == "redis"
    assert reason in absent.reason
    assert environment.services == ()


def test_one_that_a_package_brings_suffices(
    build: Build, write_tree: Write, index: Any, tmp_path: Path
) -> None:
    script = {"redis_server-1.0.data/scripts/redis-server": "#!/bin/sh\n", "brought.py": ""}
    index.add_wheel("redis-server", "1.0", script)
    brought = PYPROJECT.replace('"redis"', '"redis", "redis-server"')
    write_tree({"pyproject.toml": brought})
    assert [service.name for service in build(Bare()).services] == ["redis"]


@pytest.mark.redis
@pytest.mark.bubblewrap
def test_with_and_without_one_are_two_environments(build: Build) -> None:
    """Else a run that was kept would hide from its user that a server was installed."""
    assert len({build(each).key for each in (Bare(), BubblewrapSandbox())}) == 2


@pytest.mark.redis
def test_that_of_the_user_is_never_taken_for_it(
    build: Build, write_tree: Write, redis_server: RedisServer
) -> None:
    """Not even where a repository asks for one on a port, and `process` lets it."""
    service = (
        f'{{name: redis, command: [redis-server, --port, "{{port}}"], port: {redis_server.port}}}'
    )
    test = TEST.replace("PORT", str(redis_server.port))
    configuration = f"environment:\n  services: [{service}]\n"
    tree = write_tree({".github/fixgate.yml": configuration, "test_shop.py": test})
    environment = build(ProcessSandbox())
    with pytest.raises(SandboxError, match=f"port {redis_server.port} of service redis is in use"):
        run(environment, tree, ProcessSandbox())
