"""Old versions of pytest on old interpreters tell the same as new ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from uv import find_uv_bin

from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.process import ProcessSandbox

from .conftest import LIMITS, Project, interpreters, statuses

pytestmark = pytest.mark.network

TESTS = """
    import unittest
    import pytest
    from code_a import twice

    def test_passed(): assert twice(1) == 2
    def test_failed(): assert twice(1) == 3

    @pytest.fixture
    def broken(): raise ValueError("no fixture")
    def test_error(broken): pass

    @pytest.mark.xfail
    def test_xfailed(): assert 0
    @pytest.mark.xfail
    def test_xpassed(): pass
    @pytest.mark.xfail(strict=True)
    def test_strict(): pass
    @pytest.mark.skipif(True, reason="not now")
    def test_skipped(): pass
    @pytest.mark.parametrize("x", [1, 2])
    def test_each(x): assert x == 1

    def test_long(): assert "ab <" * 400_000 == "ab >" * 400_000
    def test_lines(): assert "ab <\\n" * 400_000 == "ab >\\n" * 400_000

    class TestUnit(unittest.TestCase):
        def test_failed(self): self.assertEqual(1, 2)
"""
EXPECTED = {
    "test_a.py::test_passed": "passed",
    "test_a.py::test_failed": "failed",
    "test_a.py::test_error": "error",
    "test_a.py::test_xfailed": "xfailed",
    "test_a.py::test_xpassed": "xpassed",
    "test_a.py::test_strict": "failed",
    "test_a.py::test_skipped": "skipped",
    "test_a.py::test_each[1]": "passed",
    "test_a.py::test_each[2]": "failed",
    "test_a.py::test_long": "failed",
    "test_a.py::test_lines": "failed",
    "test_a.py::TestUnit::test_failed": "failed",
    "test_b.py": "error",
}
FIRST = "pytest==2.8.5"
"""Nothing is strict in it yet."""
OLD = [
    ("3.6", (FIRST,), ""),
    ("3.6", ("pytest==2.9.2",), "--lf"),
    ("3.6", ("pytest==3.3.1", "attrs==17.3.0", "setuptools<60"), "--cov=x --maxfail=1"),
    ("3.7", ("pytest==4.0.2", "attrs<19"), "--sw"),
    ("3.7", ("pytest==4.6.11", "attrs<20"), "--cov=x -n 3"),
    ("3.9", ("pytest==6.2.5",), "--cov=x -x"),
    ("3.13", ("pytest==8.0.0",), "--nonsense"),
]


@pytest.mark.parametrize(("version", "packages", "options"), OLD, ids=lambda value: str(value)[:18])
def test_the_same_outcomes(
    project: Project, tmp_path: Path, version: str, packages: tuple[str, ...], options: str
) -> None:
    interpreter = interpreters().get(version)
    if interpreter is None:
        pytest.skip(f"no Python {version} is installed")
    directory = tmp_path / "venv"
    python = directory / "bin" / "python"
    _uv("venv", "--python", interpreter, directory)
    _uv("pip", "install", "--python", python, *packages)
    project.write(
        {
            "setup.cfg": f"[tool:pytest]\naddopts = {options}\n",
            "code_a.py": "def twice(x):\n    return (\n        x\n        + x)\n",
            "test_a.py": TESTS,
            "test_b.py": "import nothing_of_this_name\n",
        }
    )
    environment = PythonEnvironment(
        key="old", python=python, recipe=PythonRecipe(python=(version,))
    )
    lines = {"code_a.py": frozenset({1, 2, 3, 4})}
    request = RunRequest(project.tree, environment, ("test_a.py", "test_b.py"), lines, LIMITS)
    run = run_tests(ProcessSandbox(), request)
    strict = {"test_a.py::test_strict": "xpassed"} if FIRST in packages else {}
    assert statuses(run) == EXPECTED | strict, run.output
    failure = run.outcomes["test_a.py::test_failed"].failure
    assert failure is not None
    assert failure.exception_type == "AssertionError"
    assert failure.message.startswith("assert 2 == 3")
    assert run.hits["code_a.py"][3] == 2
    assert dict(run.untraced) == {}


def _uv(*arguments: str | Path) -> None:
    subprocess.run([find_uv_bin(), "--quiet", *arguments], check=True)
