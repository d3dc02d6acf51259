"""Tiny repositories that are written by the tests and run through the public door."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.model import Run
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.bubblewrap import BubblewrapSandbox
from evaluator.sandbox.process import ProcessSandbox
from evaluator.sandbox.protocol import ResourceLimits, Sandbox

LIMITS = ResourceLimits(wall_seconds=120, cpu_seconds=60)
# The plugins that are installed beside these tests only make each run slower.
PLAIN = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def own_environment(recipe: PythonRecipe) -> PythonEnvironment:
    """The environment of these tests themselves, which has pytest."""
    interpreter = Path(sys.base_prefix).resolve()
    directories = (Path(sys.prefix), interpreter, *_linked_directories(Path(sys.executable)))
    return PythonEnvironment(
        key="own",
        python=Path(sys.executable),
        recipe=recipe,
        packages=(),
        # Two links of a chain may lie in one directory, which docker mounts only once.
        visible=tuple(dict.fromkeys(directories)),
    )


def _linked_directories(program: Path) -> Iterator[Path]:
    """Where the links lie that a program is reached by, one after the other."""
    while program.is_symlink():
        program = program.parent / program.readlink()
        yield program.parent


def plain_recipe(framework: str) -> PythonRecipe:
    return PythonRecipe(python=("3.11",), framework=framework, variables=PLAIN)


@dataclass
class Project:
    """A repository in the making: files, then runs of some of them."""

    tree: Path
    sandbox: Sandbox

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            file = self.tree / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(textwrap.dedent(text))

    def run(
        self,
        *files: str,
        traced: Mapping[str, set[int]] | None = None,
        limits: ResourceLimits = LIMITS,
        seed: int = 0,
        recipe: PythonRecipe | None = None,
        framework: str = "pytest",
        only: frozenset[str] = frozenset(),
        without: frozenset[str] = frozenset(),
    ) -> Run:
        environment = own_environment(recipe or plain_recipe(framework))
        lines = {path: frozenset(numbers) for path, numbers in (traced or {}).items()}
        request = RunRequest(self.tree, environment, files, lines, limits, seed, only, without)
        return run_tests(self.sandbox, request)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    tree = tmp_path / "tree"
    tree.mkdir()
    return Project(tree, ProcessSandbox())


@pytest.fixture
def walled_project(tmp_path: Path) -> Project:
    tree = tmp_path / "tree"
    tree.mkdir()
    return Project(tree, BubblewrapSandbox())


def statuses(run: Run) -> dict[str, str]:
    return {test: outcome.status.value for test, outcome in run.outcomes.items()}


def interpreters() -> dict[str, Path]:
    """Python interpreters of this machine by minor version, from pyenv or the search path."""
    found: dict[str, Path] = {}
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(6, 14):
        candidates = sorted(root.glob(f"3.{minor}.*/bin/python"))
        on_path = [Path(entry) / f"python3.{minor}" for entry in os.get_exec_path()]
        existing = [path for path in [*candidates, *on_path] if path.is_file()]
        if existing:
            found[f"3.{minor}"] = existing[0]
    return found
