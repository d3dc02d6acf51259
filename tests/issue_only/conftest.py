from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluator.demo.sample import commit, git
from evaluator.execution import Subject
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.workspace import Workspace, WorkspaceSettings
from generator.languages.python.issue_only.candidates import replayed, reproducers
from generator.languages.python.issue_only.symptoms import ReplayedReport
from generator.rules import Denial, RuleSettings
from generator.task import Candidate, Task, TestRunner

FILES = {
    "calc/__init__.py": "from calc.numbers import mean, total\n",
    "calc/numbers.py": """
        import warnings

        def total(values):
            return sum(values[1:])

        def mean(values):
            return sum(values) / len(values)

        def root(value):
            warnings.warn("root() is slow for %s" % value, DeprecationWarning)
            return value ** 0.5

        def halves(values):
            try:
                return [1 // value for value in values]
            except ZeroDivisionError as error:
                raise RuntimeError("cannot halve") from error
    """,
    "calc/shown.py": """
        class Point:
            def __init__(self, x):
                self.x = x

            def __repr__(self):
                return "Point(%d,\\n      0)" % self.x

        class Table:
            def _repr_html_(self):
                raise KeyError("columns")
    """,
    "tests/__init__.py": "",
    "tests/test_numbers.py": """
        import unittest
        from calc import mean

        class MeanTest(unittest.TestCase):
            def test_mean(self):
                self.assertEqual(mean([1, 3]), 2)
    """,
    "tests/test_other.py": "import unittest\n",
    "tests/test_shown.py": "import unittest\nfrom calc.shown import Point\n",
}


ALL = RuleSettings(denials=(Denial.EXCEPTION, Denial.OUTPUT))


@dataclass(frozen=True)
class Bench:
    """A small package with bugs, and what comes of issues about it."""

    workspace: Workspace
    subject: Subject

    def task(self, issue: str) -> Task:
        mirror = self.workspace.repositories.find("calc/calc", self.subject.commit)
        return Task("calc", textwrap.dedent(issue).strip("\n"), self.subject, mirror)

    @property
    def runner(self) -> TestRunner:
        return TestRunner(self.workspace, self.subject)

    def replay(self, issue: str) -> ReplayedReport:
        return replayed(self.task(issue), self.runner)

    def candidates(self, issue: str, rules: RuleSettings = ALL) -> list[Candidate]:
        return list(reproducers(self.task(issue), self.runner, rules))


@pytest.fixture(scope="session")
def make_bench(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Bench]:
    """Makes the bench of a tree of files, by default of the package above."""
    cache = tmp_path_factory.mktemp("cache")

    def make(
        sandbox: str,
        variables: Mapping[str, str] | None = None,
        files: Mapping[str, str] = FILES,
        framework: str = "unittest",
    ) -> Bench:
        root = written(tmp_path_factory.mktemp("calc"), files)
        settings = WorkspaceSettings(
            repositories=(str(root / ".git"),),
            cache=cache,
            limits=ResourceLimits(wall_seconds=60),
            offline=True,
            side_by_side=False,
        )
        workspace = Workspace(settings, choose_sandbox(sandbox))
        recipe = PythonRecipe(python=("3.11",), framework=framework, variables=variables or {})
        head = git(root, "rev-parse", "HEAD").strip()
        return Bench(workspace, workspace.base("calc/calc", head, lambda _: recipe))

    return make


def written(root: Path, files: Mapping[str, str]) -> Path:
    """A repository of the files, in one commit."""
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(content).lstrip("\n"))
    git(root, "init", "--quiet")
    commit(root, "As it is")
    return root


@pytest.fixture(scope="session")
def bench(make_bench: Callable[..., Bench]) -> Bench:
    return make_bench("process")
