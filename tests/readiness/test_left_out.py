"""Repositories of several projects, one of which needs what cannot be built here."""

from __future__ import annotations

import json

import pytest

from tests.languages.python.environment.conftest import Index
from tests.readiness.conftest import PYTHON, Fixgate, Lay

PROJECT = """\
[project]
name = "{0}"
version = "1"
requires-python = "=={1}.*"
dependencies = {2}
"""
CODE = "def double(number):\n    return number + number + 1\n"
TESTS = """
    import unittest

    from {0} import double


    class DoubleTest(unittest.TestCase):
        def test_double(self):
            self.assertEqual(double(2), 4)
"""


@pytest.fixture(autouse=True)
def repository(lay: Lay, index: Index) -> None:
    """Two projects that double wrongly, of which one needs a package without its header."""
    index.add_sdist("broken", "1.0", before="raise SystemExit('error: mysql.h: not found')")
    for name, needed in {"core": [], "data": ["broken"]}.items():
        lay(
            {
                f"{name}/pyproject.toml": PROJECT.format(name, PYTHON, needed),
                f"{name}/{name}.py": CODE,
                f"{name}/tests/test_{name}_usual.py": "import unittest\n",
            }
        )


def repair(lay: Lay, name: str) -> None:
    lay(
        {
            f"{name}/{name}.py": CODE.replace(" + 1", ""),
            f"{name}/tests/test_{name}.py": TESTS.format(name),
        }
    )


def test_the_others_are_judged_and_it_is_named(run: Fixgate, lay: Lay) -> None:
    repair(lay, "core")
    done = run("verify", "--base", "HEAD~1", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads(done.stdout)
    reason = "broken cannot be built: error: mysql.h: not found"
    assert said["unbuilt_packages"] == ["broken"]
    assert said["uncompiled"] == [{"place": "data", "reason": reason}]
    named = f"left out, as it cannot be built here: data ({reason})"
    assert named in run("environment").stdout


def test_a_change_to_it_is_an_error(run: Fixgate, lay: Lay) -> None:
    repair(lay, "data")
    done = run("verify", "--base", "HEAD~1")
    assert done.returncode == 2
    assert "cannot be built" in done.stderr
    assert "mysql.h: not found" in done.stderr
