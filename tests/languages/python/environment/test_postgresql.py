"""A real PostgreSQL beside tests, from what a project says to what its tests find."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evaluator.environment.types import AbsentService, Service
from evaluator.errors import EnvironmentBuildError, SandboxError
from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.discover import discover_recipe
from evaluator.languages.python.environment.types import PythonEnvironment
from evaluator.model import Run
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.bubblewrap import BubblewrapSandbox
from evaluator.sandbox.guise import USUAL, Guise, guise_of
from evaluator.sandbox.process import ProcessSandbox
from evaluator.sandbox.protocol import (
    Command,
    CommandResult,
    ExitReason,
    Mount,
    ResourceLimits,
    Sandbox,
)

from .conftest import Write

PYPROJECT = """
[project]
name = "shop"
version = "1"
dependencies = ["psycopg2"]
"""
WORKFLOW = """
jobs:
  test:
    services:
      postgres:
        image: postgres
        env: {POSTGRES_USER: clerk, POSTGRES_DB: shop-test}
    steps:
      - run: psql -c 'CREATE EXTENSION hstore'
        env: {PGHOST: localhost, PGUSER: clerk, PGDATABASE: shop-test}
      - {run: pytest, env: {SHOP_DB: "postgresql://clerk:any@localhost/shop-test"}}
"""
TEST = """
import os, subprocess, unittest

def ask(sql, *options):
    command = ["psql", "--no-psqlrc", "--tuples-only", "--no-align", *options, "--command", sql]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

class ShopTest(unittest.TestCase):
    def test_shop(self):
        {body}
"""


class Bare:
    """A sandbox that has no server, and no other program either."""

    name = "bare"

    def location(self, mount: Mount) -> str:
        return str(mount.target)

    def run(self, command: Command) -> CommandResult:
        return CommandResult(ExitReason.EXITED, 0, "", output_truncated=False, wall_seconds=0.0)


@dataclasses.dataclass(frozen=True)
class Shop:
    """A project whose tests ask a PostgreSQL, and what its environments are built with."""

    write: Write
    index: Any
    cache: Path

    def build(self, files: Mapping[str, str], sandbox: Sandbox | None = None) -> PythonEnvironment:
        tree = self.write({"pyproject.toml": PYPROJECT, **files})
        builder = PythonBuilder(
            self.cache,
            sandbox=sandbox or BubblewrapSandbox(),
            index_url=f"{self.index.url}/simple",
        )
        return builder.build(discover_recipe(tree), date=None, tree=tree, tree_key="tree")

    def run(self, environment: PythonEnvironment, body: str, guise: Guise = USUAL) -> Run:
        tree = self.write({"test_shop.py": TEST.format(body=body)})
        limits = ResourceLimits(wall_seconds=120)
        request = RunRequest(tree, environment, ("test_shop.py",), limits=limits, guise=guise)
        return run_tests(BubblewrapSandbox(), request)

    def passes(self, environment: PythonEnvironment, body: str, guise: Guise = USUAL) -> None:
        run = self.run(environment, body, guise)
        (outcome,) = run.outcomes.values()
        assert outcome.status == "passed", f"{outcome.failure}\n{run.output}"


@pytest.fixture
def shop(write_tree: Write, index: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    index.add_wheel("psycopg2", "2.9")
    tests = {"test_shop.py": "import unittest\n"}
    return Shop(lambda files: write_tree({**tests, **files}), index, tmp_path / "cache")


@pytest.mark.postgres
@pytest.mark.bubblewrap
def test_tests_find_what_the_workflow_names(shop: Shop) -> None:
    environment = shop.build({".github/workflows/tests.yml": WORKFLOW})
    body = """
        url = os.environ["SHOP_DB"]
        self.assertEqual(ask("SELECT current_user, current_database()", url), "clerk|shop-test")
        self.assertEqual(ask("SELECT 'a=>1'::hstore -> 'a'"), "1")
        self.assertEqual(ask("SHOW server_encoding"), "UTF8")
        options = ("--username", os.environ["USER"], "postgres")
        self.assertEqual(ask("SELECT current_user", *options), os.environ["USER"])
    """
    shop.passes(environment, body)
    shop.passes(environment, body, guise_of(1, "rerun"))


@pytest.mark.postgres
@pytest.mark.bubblewrap
def test_a_client_alone_is_told_where_the_server_is(shop: Shop) -> None:
    asked = "SELECT rolname, rolsuper FROM pg_roles WHERE rolname = current_user"
    body = f"self.assertEqual(ask({asked!r}), 'postgres|t')"
    shop.passes(shop.build({}), body)


@pytest.mark.postgres
@pytest.mark.bubblewrap
def test_no_run_finds_what_another_left(shop: Shop) -> None:
    environment = shop.build({})
    for _ in range(2):
        shop.passes(environment, "ask('CREATE TABLE clerks ()')")


@pytest.mark.postgres
@pytest.mark.bubblewrap
def test_a_cluster_is_made_once_for_all_that_ask_for_the_same(shop: Shop) -> None:
    first = shop.build({})
    (archive,) = shop.cache.glob("clusters/*/cluster.tar")
    made = archive.stat()
    variables = {".github/fixgate.yml": "environment:\n  variables: {LEVEL: high}\n"}
    second = shop.build(variables)
    assert list(shop.cache.glob("clusters/*/cluster.tar")) == [archive]
    assert archive.stat().st_mtime_ns == made.st_mtime_ns
    assert first.services == second.services


@pytest.mark.postgres
@pytest.mark.bubblewrap
def test_a_server_that_does_not_start_is_no_reason_to_run_without(
    shop: Shop, tmp_path: Path
) -> None:
    """On one side of a change alone, that would decide."""
    environment = shop.build({})
    (service,) = environment.services
    broken = dataclasses.replace(service, archive=str(tmp_path / "absent.tar"))
    environment = dataclasses.replace(environment, prepared={service.name: broken})
    with pytest.raises(SandboxError, match="service postgresql cannot be laid out"):
        shop.run(environment, "pass")


@pytest.mark.postgres
@pytest.mark.bubblewrap
def test_it_can_be_asked_for_by_name(shop: Shop) -> None:
    service = {
        "name": "database",
        "command": ["fixgate-postgresql", "role=clerk", "database=shop", "extension=hstore"],
        "port": 5433,
        "variables": {"PGPORT": "{port}", "PGHOST": "localhost", "PGUSER": "clerk"},
    }
    told = f"environment:\n  services: [{json.dumps(service)}]\n"
    pyproject = PYPROJECT.replace('"psycopg2"', "")
    environment = shop.build({"pyproject.toml": pyproject, ".github/fixgate.yml": told})
    shop.passes(environment, "self.assertEqual(ask('SELECT NULL::hstore IS NULL', 'shop'), 't')")


@pytest.mark.parametrize(
    ("sandbox", "reason"),
    [(Bare(), "apt-get install postgresql"), (ProcessSandbox(), "no network of its own")],
)
def test_without_a_server_an_environment_says_what_would_help(
    shop: Shop, sandbox: Sandbox, reason: str
) -> None:
    environment = shop.build({}, sandbox)
    (absent,) = environment.absent
    assert absent.name == "postgresql"
    assert reason in absent.reason
    assert environment.services == ()


@pytest.mark.postgres
@pytest.mark.bubblewrap
def test_with_and_without_a_server_are_two_environments(shop: Shop) -> None:
    """Else a run that was kept would hide from its user that a server was installed."""
    assert shop.build({}, Bare()).key != shop.build({}).key


def test_a_server_that_nothing_connects_to_is_left_out(shop: Shop) -> None:
    files = {
        "pyproject.toml": PYPROJECT.replace('"psycopg2"', ""),
        ".github/workflows/tests.yml": WORKFLOW,
    }
    environment = shop.build(files, Bare())
    reason = "nothing that is installed connects to it"
    assert environment.absent == (AbsentService("postgresql", reason),)


@pytest.mark.parametrize("package", ["psycopg", "asyncpg"])
def test_what_a_requirement_requires_may_connect_to_it(shop: Shop, package: str) -> None:
    shop.index.add_wheel(package, "1.0")
    shop.index.add_wheel("layer", "1.0", requires=(package,))
    files = {
        "pyproject.toml": PYPROJECT.replace("psycopg2", "layer"),
        ".github/workflows/tests.yml": WORKFLOW,
    }
    (absent,) = shop.build(files, Bare()).absent
    assert "apt-get install postgresql" in absent.reason


def test_a_server_that_was_asked_for_is_not_done_without(shop: Shop) -> None:
    told = "{name: database, command: fixgate-postgresql}"
    files = {".github/fixgate.yml": f"environment:\n  services: [{told}]\n"}
    with pytest.raises(EnvironmentBuildError, match="service database cannot be had: no server"):
        shop.build(files, Bare())


@pytest.mark.parametrize(
    "word", ["shop", "role=", 'role=a"b', "role=a b", "role=a'", "key=a", "role=a\nb"]
)
def test_words_that_say_nothing_of_it(shop: Shop, word: str) -> None:
    tree = shop.write({"pyproject.toml": PYPROJECT})
    service = Service("database", ("fixgate-postgresql", word))
    recipe = dataclasses.replace(discover_recipe(tree), services=(service,))
    builder = PythonBuilder(shop.cache, sandbox=Bare(), index_url=f"{shop.index.url}/simple")
    with pytest.raises(EnvironmentBuildError, match="write role=NAME"):
        builder.build(recipe, date=None, tree=tree, tree_key="tree")
