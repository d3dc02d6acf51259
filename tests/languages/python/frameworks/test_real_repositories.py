"""Golden tests of real instances, on both sides of the fix, in environments of their period."""

from __future__ import annotations

import io
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluator.checkout.scratch import lay_over
from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.recipes import known_recipe, version_of
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.model import Instance, Run, TestOutcome
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.process import ProcessSandbox
from evaluator.swtbench.dataset import load_instances
from tests.mirrors import mirror_of

pytestmark = [pytest.mark.mirrors, pytest.mark.dataset, pytest.mark.network]


@dataclass(frozen=True)
class Golden:
    """An instance with the file that its golden tests are in, and lines of its golden patch."""

    instance_id: str
    repository: str
    file: str
    removed: tuple[str, frozenset[int]]
    added: tuple[str, frozenset[int]]


GOLDEN = [
    Golden(
        "django__django-11133",
        "django/django",
        "tests/httpwrappers/tests.py",
        ("django/http/response.py", frozenset({232})),
        ("django/http/response.py", frozenset({232})),
    ),
    Golden(
        "sympy__sympy-12419",
        "sympy/sympy",
        "sympy/matrices/expressions/tests/test_matexpr.py",
        ("sympy/matrices/expressions/matexpr.py", frozenset({5, 378, 479})),
        ("sympy/matrices/expressions/matexpr.py", frozenset({5, 10, 479, 480, 482, 484})),
    ),
    Golden(
        "pytest-dev__pytest-8365",
        "pytest-dev/pytest",
        "testing/test_tmpdir.py",
        ("src/_pytest/tmpdir.py", frozenset({118})),
        ("src/_pytest/tmpdir.py", frozenset({118, 119, 120, 122, 123})),
    ),
]


class Bench:
    """Trees and an environment of one instance."""

    def __init__(self, golden: Golden, data: Path, room: Path) -> None:
        self.golden = golden
        self.room = room
        self.mirror = mirror_of(golden.repository)
        dataset = load_instances(str(data / "lite_dev.jsonl"))
        self.instance: Instance = next(
            each for each in dataset.instances if each.instance_id == golden.instance_id
        )
        self.environment = self._environment()

    def _environment(self) -> PythonEnvironment:
        tree = self.tree("pristine")
        instance = self.instance
        recipe = known_recipe(instance.repo, instance.version or version_of(instance.repo, tree))
        assert isinstance(recipe, PythonRecipe)
        environments = PythonBuilder(self.room / "cache", sandbox=ProcessSandbox())
        assert instance.created_at is not None
        date = instance.created_at.date()
        return environments.build(recipe, date=date, tree=tree, tree_key=instance.base_commit)

    def tree(self, name: str, *patches: str) -> Path:
        tree = self.room / name
        command = ["git", f"--git-dir={self.mirror}", "archive", self.instance.base_commit]
        archive = subprocess.run(command, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(tree, filter="tar")
        for patch in patches:
            apply = ["git", "apply", "--whitespace=nowarn", "-"]
            subprocess.run(apply, input=patch.encode(), cwd=tree, check=True)
        return tree

    def run(self, tree: Path, lines: tuple[str, frozenset[int]]) -> Run:
        for overlay in self.environment.overlays:
            lay_over(overlay, tree)
        request = RunRequest(tree, self.environment, (self.golden.file,), dict([lines]))
        return run_tests(ProcessSandbox(), request)


def by_dataset_name(run: Run) -> dict[str, TestOutcome]:
    """Outcomes under the names that the dataset uses for pytest, sympy and Django."""
    named: dict[str, TestOutcome] = {}
    for test, outcome in run.outcomes.items():
        module, _, method = test.rpartition(".")
        for name in (test, test.rpartition("::")[2], f"{method} ({module})", outcome.description):
            named.setdefault(name, outcome)
    return named


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.instance_id)
def test_golden_tests(golden: Golden, data: Path, tmp_path: Path) -> None:
    bench = Bench(golden, data, tmp_path)
    instance = bench.instance
    base = bench.run(bench.tree("base", instance.test_patch), golden.removed)
    fixed = bench.run(bench.tree("fixed", instance.patch, instance.test_patch), golden.added)
    before, after = by_dataset_name(base), by_dataset_name(fixed)
    assert all(before[test].status.fails for test in instance.fail_to_pass), base.output
    assert {after[test].status.value for test in instance.fail_to_pass} == {"passed"}
    assert not [test for test in instance.pass_to_pass if after[test].status.fails]
    for run, (path, lines) in ((base, golden.removed), (fixed, golden.added)):
        assert set(run.hits[path]) == lines
        assert dict(run.untraced) == {}
    assert {outcome.file for outcome in fixed.outcomes.values()} == {golden.file}
