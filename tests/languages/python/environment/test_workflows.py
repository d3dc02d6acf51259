"""What is taken from a project's workflows, and what is not: PostgreSQL beside its tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluator.environment.types import Service
from evaluator.languages.python.environment.discover import discover_recipe

from .conftest import Write

PROJECT = '[project]\nname = "shop"\nversion = "1"\n'
CLIENT = PROJECT + 'dependencies = ["psycopg2-binary>=2.9"]\n'
USUAL = {"PGHOST": "127.0.0.1", "PGUSER": "postgres"}
SERVED = """
    services:
      postgres:
        image: postgres:16
        env: {POSTGRES_USER: shop, POSTGRES_PASSWORD: secret, POSTGRES_DB: shop_test}
        ports: ["5432:5432"]
"""


def workflow(job: str, top: str = "", name: str = "tests") -> dict[str, str]:
    head = f"on: push\n{top}\njobs:\n  test:\n    runs-on: ubuntu-latest\n"
    return {f".github/workflows/{name}.yml": head + job}


def services(tree: Path) -> tuple[Service, ...]:
    return discover_recipe(tree).services


def told(tree: Path) -> Mapping[str, str]:
    """The variables that tests get if they are not the usual ones."""
    (service,) = services(tree)
    return {} if service.variables == USUAL else service.variables


@pytest.mark.parametrize(
    "pyproject",
    [
        CLIENT,
        PROJECT.replace("shop", "asyncpg"),
        PROJECT + '[dependency-groups]\ntest = ["Psycopg[binary]"]\n',
        PROJECT + 'dependencies = ["pg8000"]\n',
    ],
)
def test_who_has_a_client_has_the_server(write_tree: Write, pyproject: str) -> None:
    (service,) = services(write_tree({"pyproject.toml": pyproject}))
    assert service == Service("postgresql", ("fixgate-postgresql",), USUAL, 5432, optional=True)
    given = {".github/fixgate.yml": "environment:\n  services: []\n"}
    assert not services(write_tree({"pyproject.toml": pyproject, **given}))


def test_a_client_of_one_of_several_projects(write_tree: Write) -> None:
    files = {"a/pyproject.toml": CLIENT.replace("shop", "a"), "b/pyproject.toml": PROJECT}
    (service,) = services(write_tree({**files, **workflow(SERVED)}))
    assert "role=shop" in service.command


def test_others_have_none(write_tree: Write) -> None:
    mentioned = workflow("    steps: [{run: echo postgres}]\n")
    assert not services(write_tree({"pyproject.toml": PROJECT, **mentioned}))


def test_the_roles_databases_and_extensions_of_a_workflow(write_tree: Write) -> None:
    steps = """
    steps:
      - run: |
          psql -c 'CREATE EXTENSION IF NOT EXISTS hstore;' shop_test
          psql -c "create user clerk with password 'x'"
          psql -c "CREATE EXTENSION IF NOT EXISTS \\"uuid-ossp\\"; CREATE EXTENSION ${NAMED}"
          createdb -U shop archive
          psql -c 'CREATE DATABASE "more"'
          mysql -e 'create database other'
"""
    (service,) = services(write_tree({"pyproject.toml": PROJECT, **workflow(SERVED + steps)}))
    databases = ("database=shop_test", "database=archive", "database=more")
    assert service.command == (
        "fixgate-postgresql",
        *("role=shop", "role=clerk"),
        *databases,
        *("extension=hstore", "extension=uuid-ossp"),
    )


def test_a_database_is_called_as_its_user_where_it_has_no_name(write_tree: Write) -> None:
    job = SERVED.replace(", POSTGRES_DB: shop_test", "")
    (service,) = services(write_tree({"pyproject.toml": PROJECT, **workflow(job)}))
    assert service.command == ("fixgate-postgresql", "role=shop", "database=shop")


@pytest.mark.parametrize(
    ("image", "served"),
    [
        ("postgres", True),
        ("docker.io/library/postgres:16-alpine", True),
        ("registry.example:5000/postgres", True),
        ("postgres:${{ matrix.postgres }}", True),
        ("bitnami/postgresql:16", True),
        ("postgis/postgis:16", False),
        ("quay.io/prometheuscommunity/postgres-exporter", False),
        ("${{ matrix.image }}", False),
        ("mysql", False),
    ],
)
def test_images_of_postgresql(write_tree: Write, image: str, served: bool) -> None:
    job = SERVED.replace("postgres:16", image)
    assert bool(services(write_tree({"pyproject.toml": PROJECT, **workflow(job)}))) is served


def test_variables_of_the_steps_the_job_and_the_workflow(write_tree: Write) -> None:
    steps = """
    env: {DB_NAME: of-job, DB_PORT: 5432}
    steps:
      - {run: psql, env: {DATABASE_URL: "postgres://shop@localhost/first", PGPASSWORD: secret}}
      - {run: pytest, env: {DATABASE_URL: "postgresql://shop@localhost/shop_test", LEVEL: "3"}}
"""
    top = "env: {DB_NAME: of-workflow, TEST_DB_USER: shop}"
    tree = write_tree({"pyproject.toml": CLIENT, **workflow(SERVED + steps, top)})
    assert told(tree) == {
        "DATABASE_URL": "postgresql://shop@localhost/shop_test",
        "PGPASSWORD": "secret",
        "DB_NAME": "of-job",
        "DB_PORT": "5432",
        "TEST_DB_USER": "shop",
    }


@pytest.mark.parametrize(
    "variable",
    [
        'DATABASE_URL: "postgres://shop:${{ secrets.PASSWORD }}@localhost/shop"',
        "DATABASE_URL: mysql://root@localhost/shop",
        "MYSQL_DATABASE: shop",
        "DB_ENGINE: sqlite3",
        "PYTHONPATH: postgres",
        "PYTEST_ADDOPTS: --cov=postgres",
        "LD_PRELOAD: postgres.so",
        "DJANGO_SETTINGS_MODULE: shop.postgres",
        "PGDATA: /var/lib/postgresql",
        "db_name: shop",
        'DB_NAME: "a\\nb"',
        f"DB_NAME: {'a' * 501}",
        "DB_NAME: ''",
        "DB_NAME: [shop]",
        "PATH_TO_POSTGRES=x: shop",
    ],
)
def test_variables_that_are_not_taken(write_tree: Write, variable: str) -> None:
    job = f"{SERVED}    steps:\n      - run: pytest\n        env:\n          {variable}\n"
    assert not told(write_tree({"pyproject.toml": CLIENT, **workflow(job)}))


def test_only_addresses_of_postgresql_are_taken_from_a_job_without_it(write_tree: Write) -> None:
    """It may start the server by itself, or be about another kind of database."""
    job = """
    env: {DB_NAME: other, TEST_DSN: "host=127.0.0.1 user=postgres password=x"}
    steps: [{run: docker run -d postgres}, {run: pytest}]
"""
    tree = write_tree({"pyproject.toml": CLIENT, **workflow(job)})
    assert told(tree) == {"TEST_DSN": "host=127.0.0.1 user=postgres password=x"}


def test_jobs_on_other_systems_say_nothing(write_tree: Write) -> None:
    files = workflow("    env: {TEST_DSN: 'postgresql://runner@localhost/'}\n    steps: []\n")
    files = {name: text.replace("ubuntu", "macos") for name, text in files.items()}
    assert not told(write_tree({"pyproject.toml": CLIENT, **files}))


def test_what_a_job_in_a_container_calls_its_service(write_tree: Write) -> None:
    """There its port is the server's own."""
    job = (
        SERVED.replace("5432:5432", "5433:5432")
        + """
    container: python:3.12
    steps:
      - run: pytest
        env:
          DB_HOST: postgres
          DB_USER: postgres
          DATABASE_URL: postgres://postgres@postgres:5432/postgres
          TEST_DSN: host=postgres user=postgres
"""
    )
    tree = write_tree({"pyproject.toml": CLIENT, **workflow(job)})
    assert told(tree) == {
        "DB_HOST": "127.0.0.1",
        "DB_USER": "postgres",
        "DATABASE_URL": "postgres://postgres@127.0.0.1:5432/postgres",
        "TEST_DSN": "host=127.0.0.1 user=postgres",
    }
    assert services(tree)[0].port == 5432


@pytest.mark.parametrize(
    ("mapped", "port"), [("5433:5432", 5433), ("5432", 5432), ("99999:5432", 5432)]
)
def test_the_port_that_steps_see(write_tree: Write, mapped: str, port: int) -> None:
    job = SERVED.replace("5432:5432", mapped)
    (service,) = services(write_tree({"pyproject.toml": CLIENT, **workflow(job)}))
    assert service.port == port


@pytest.mark.parametrize(
    "name", ['a"; DROP TABLE x; --', "$(reboot)", "${{ env.USER }}", "a b", "1a", "a" * 64, "é"]
)
def test_names_that_are_none(write_tree: Write, name: str) -> None:
    job = SERVED.replace("shop_test", f"'{name}'").replace(
        "POSTGRES_USER: shop", f"POSTGRES_USER: '{name}'"
    )
    (service,) = services(write_tree({"pyproject.toml": CLIENT, **workflow(job)}))
    assert service.command == ("fixgate-postgresql",)


@pytest.mark.parametrize(
    "text",
    [
        "postgres: [",
        "- postgres\n",
        "jobs: [postgres]\n",
        "jobs: {a: postgres, b: {services: [postgres], steps: {run: x}, env: 3}}\n",
        "jobs: {a: {services: {postgres: {image: [postgres]}}, steps: [3, {run: [x]}]}}\n",
        "postgres: " + "[" * 20_000,
        "postgres: \x00",
        "a: &a [x, x]\n"
        + "".join(
            f"b{n}: &b{n} [{', '.join([f'*b{n - 1}' if n else '*a'] * 9)}]\n" for n in range(30)
        )
        + "jobs: {postgres: {runs-on: *b29, services: {p: {image: *b29, env: *b29}}}}\n",
        "a: &a0 {x: postgres}\n"
        + "".join(f"b{n}: &a{n + 1} {{<<: [{', '.join([f'*a{n}'] * 9)}]}}\n" for n in range(30)),
        "jobs: {a: {steps: [{run: '" + "createdb " * 7_000 + "postgres'}]}}",
        "jobs: {a: {steps: [{run: x, env: &e {"
        + ", ".join(f"DB_{n}: '{'host=a ' * 9}'" for n in range(600))
        + "}}"
        + ", {run: postgres, env: *e}" * 500
        + "]}}",
    ],
    ids=range(11),
)
def test_workflows_that_say_nothing_do_no_harm(write_tree: Write, text: str) -> None:
    tree = write_tree({"pyproject.toml": CLIENT, ".github/workflows/a.yml": text})
    assert not told(tree)


def test_a_workflow_that_is_a_link_is_not_followed(write_tree: Write, tmp_path: Path) -> None:
    (text,) = workflow(SERVED).values()
    (tmp_path / "elsewhere.yml").write_text(text)
    tree = write_tree({"pyproject.toml": PROJECT, ".github/workflows/note.txt": ""})
    (tree / ".github/workflows/a.yml").symlink_to(tmp_path / "elsewhere.yml")
    assert not services(tree)
