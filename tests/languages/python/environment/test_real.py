"""Real projects at real commits, from public mirrors and the real package index."""

from __future__ import annotations

import datetime
import io
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.discover import discover_recipe
from evaluator.languages.python.environment.recipes import known_recipe
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.sandbox.process import ProcessSandbox
from tests.mirrors import mirror_of

pytestmark = [pytest.mark.mirrors, pytest.mark.network]

FLASK = "182ce3dd15dfa3537391c3efaf9c3ff407d134d4"
PYTEST = "10ca84ffc56c2dd2d9dc4bd71b7b898e083500cd"


def lay_down(mirror: Path, commit: str, tree: Path) -> Path:
    command = ["git", "-C", str(mirror), "archive", commit]
    archive = subprocess.run(command, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(tree, filter="tar")
    return tree


def run_tests(environment: PythonEnvironment, tree: Path, file: str) -> str:
    """The last line that the project's own tests print in its environment."""
    for overlay in environment.overlays:
        shutil.copytree(overlay, tree, dirs_exist_ok=True)
    variables = {"PYTHONPATH": str(tree / "src"), "PATH": os.environ["PATH"]}
    command = [str(environment.python), "-m", "pytest", "-q", "-p", "no:cacheprovider", file]
    done = subprocess.run(
        command, cwd=tree, env=variables, capture_output=True, text=True, check=False
    )
    return done.stdout.strip().splitlines()[-1]


def test_flask_by_the_known_recipe(tmp_path: Path) -> None:
    tree = lay_down(mirror_of("pallets/flask"), FLASK, tmp_path / "tree")
    recipe = known_recipe("pallets/flask", "2.3")
    assert isinstance(recipe, PythonRecipe)
    environments = PythonBuilder(tmp_path / "cache", sandbox=ProcessSandbox())
    date = datetime.date(2023, 4, 14)
    environment = environments.build(recipe, date=date, tree=tree, tree_key=FLASK)
    assert "passed" in run_tests(environment, tree, "tests/test_cli.py")


def test_flask_by_what_its_files_say(tmp_path: Path) -> None:
    tree = lay_down(mirror_of("pallets/flask"), FLASK, tmp_path / "tree")
    environments = PythonBuilder(tmp_path / "cache", sandbox=ProcessSandbox())
    date = datetime.date(2023, 4, 26)
    recipe = discover_recipe(tree)
    environment = environments.build(recipe, date=date, tree=tree, tree_key=FLASK)
    assert "passed" in run_tests(environment, tree, "tests/test_cli.py")


def test_pytest_of_2019_tests_itself(tmp_path: Path) -> None:
    tree = lay_down(mirror_of("pytest-dev/pytest"), PYTEST, tmp_path / "tree")
    recipe = known_recipe("pytest-dev/pytest", "4.5")
    assert isinstance(recipe, PythonRecipe)
    environments = PythonBuilder(tmp_path / "cache", sandbox=ProcessSandbox())
    date = datetime.date(2019, 4, 13)
    environment = environments.build(recipe, date=date, tree=tree, tree_key=PYTEST)
    assert "passed" in run_tests(environment, tree, "testing/test_compat.py")
