"""Modules that a project's own build makes: they are made where tests cannot be loaded without."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluator.languages.python.environment.generated_modules import generated_module
from tests.languages.python.environment.conftest import Index

from .conftest import Fixgate, Lay

BACKEND = """
import os, zipfile

def get_requires_for_build_wheel(config_settings=None):
    return []

def build_wheel(directory, config_settings=None, metadata_directory=None):
    value = open("own/double.g4").read()
    made = f"def double(number):\\n    return {value}"
    with zipfile.ZipFile(os.path.join(directory, "own-1-py3-none-any.whl"), "w") as wheel:
        wheel.writestr("own/parser.py", made)
    return "own-1-py3-none-any.whl"
"""
CODE = """
    import sys

    try:
        from own.parser import double
    except ImportError:
        print("run the build", file=sys.stderr)
        sys.exit(1)
"""
TEST = """
    import unittest

    from own import double


    class DoubleTest(unittest.TestCase):
        def test_type(self):
            self.assertIsInstance(double(1), int)
"""
NEW_TEST = """
        def test_value(self):
            self.assertEqual(double(21), 42)
"""
SYSTEM = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
PROJECT: Mapping[str, str] = {
    "pyproject.toml": f'{SYSTEM}[project]\nname = "own"\nversion = "1"\n',
    "backend.py": BACKEND,
    ".gitignore": "own/parser.py\n",
    "own/__init__.py": CODE,
    "own/double.g4": "number + number + 1\n",
    "tests/__init__.py": "",
    "tests/test_own.py": TEST,
}


@pytest.fixture
def project(lay: Lay, index: Index) -> Path:
    for tool in ("setuptools", "wheel"):
        index.add_wheel(tool, "40.0")
    return lay(PROJECT)


@pytest.mark.usefixtures("project")
def test_they_are_made_and_that_is_kept(run: Fixgate) -> None:
    done = run("environment")
    assert "added: install: wheel (generated own.parser)" in done.stdout, done.stdout + done.stderr
    assert "1 of 1 test files ran: 1 tests pass, 0 fail" in done.stdout
    assert done.stdout.endswith("environment:\n  install: wheel\n")


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("source", ["own/double.g4", "own/parser.rules"])
def test_each_side_has_what_is_made_of_its_own_sources(run: Fixgate, lay: Lay, source: str) -> None:
    lay({"backend.py": BACKEND.replace("own/double.g4", source), source: "number + number + 2\n"})
    lay({source: "number + number\n", "tests/test_own.py": TEST + NEW_TEST})
    done = run("verify", "--base", "HEAD~1", "--json")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.usefixtures("project")
def test_where_the_build_fails_it_is_said_what_to_write(run: Fixgate, lay: Lay) -> None:
    lay({"backend.py": BACKEND.replace("value = ", "raise OSError('no java') #")})
    lay({"own/double.g4": "number + number\n", "tests/test_own.py": TEST + NEW_TEST})
    done = run("verify", "--base", "HEAD~1", "--json")
    (said,) = json.loads(done.stdout)["reasons"]
    assert done.returncode == 3
    assert said["rule"] == "tests_not_loaded"
    assert (
        "SystemExit: 1, because of ModuleNotFoundError: No module named 'own.parser'"
        in (said["reason"])
    )
    assert "it needs the module own.parser, which the repository ignores" in said["reason"]


def test_only_a_module_that_the_repository_ignores_is_made(lay: Lay) -> None:
    ignoring = {".gitignore": "/src/own/made*\n"}
    tree = lay({**ignoring, "src/own/__init__.py": "", "src/own/made_here.py": ""})

    def found(message: str) -> str:
        return generated_module(message, tree, ("src",))

    assert found("No module named 'own.made.parser'") == "own.made.parser"
    assert found("cannot import name 'made' from 'own' (unknown location)") == "own.made"
    circular = "cannot import name 'made_x' from partially initialized module 'own' (most likely"
    assert found(circular) == "own.made_x"
    assert found("No module named 'own.made_here'") == ""
    assert found("No module named 'own.other'") == ""
    assert found("No module named 'made'") == ""
    assert found("something else") == ""
