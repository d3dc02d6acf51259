"""The order of tests: the usual one with seed 0, another one with each other seed."""

from __future__ import annotations

from itertools import pairwise

import pytest

from .conftest import Project

METHODS = "\n".join(f"    def test_{name}(self): pass" for name in "abcdef")
UNITTEST = "import unittest\n" + "\n".join(
    f"class {name}Test(unittest.TestCase):\n{METHODS}" for name in ("One", "Two", "Three")
)
PYTEST = UNITTEST + "\ndef test_alone(): pass\n"
SYMPY_RUNNER = """
import importlib.util, os, random

class PyTestReporter:
    def entering_test(self, f): pass
    def test_pass(self, char="."): pass
    def test_fail(self, info): pass
    def test_exception(self, info): pass
    def test_xfail(self): pass
    def test_xpass(self, v): pass
    def test_skip(self, v=None): pass
    def import_error(self, filename, info): pass

class SymPyTests:
    def __init__(self, reporter, seed):
        self._reporter, self._seed = reporter, seed
    def matches(self, function):
        return True
    def test_file(self, filename, sort=True):
        spec = importlib.util.spec_from_file_location("module", filename)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        functions = [f for name, f in sorted(vars(module).items()) if name.startswith("test")]
        if not sort:
            random.seed(self._seed)
            random.shuffle(functions)
        for function in filter(self.matches, functions):
            self._reporter.entering_test(function)
            function()
            self._reporter.test_pass()

def test(*paths, verbose, colors, subprocess, seed, sort):
    tests = SymPyTests(PyTestReporter(), seed)
    for path in paths:
        tests.test_file(os.path.abspath(path), sort=sort)
    return True
"""
FILES = {
    "pytest": {"tests/test_x.py": PYTEST},
    "unittest": {"tests/__init__.py": "", "tests/test_x.py": UNITTEST},
    "sympy": {
        "sympy/__init__.py": "",
        "sympy/testing/__init__.py": "",
        "sympy/testing/runtests.py": SYMPY_RUNNER,
        "sympy/test_x.py": "\n".join(f"def test_{name}(): pass" for name in "abcdef"),
    },
}


def order(project: Project, framework: str, seed: int) -> list[str]:
    file = next(path for path in FILES[framework] if path.endswith("test_x.py"))
    run = project.run(file, framework=framework, seed=seed)
    assert {o.status for o in run.outcomes.values()} == {"passed"}, run.output
    return list(run.outcomes)


@pytest.mark.parametrize("framework", list(FILES))
def test_each_seed_has_an_order_of_its_own(project: Project, framework: str) -> None:
    project.write(FILES[framework])
    usual, first, again, second = (order(project, framework, seed) for seed in (0, 1, 1, 2))
    assert first == again
    assert sorted(usual) == sorted(first) == sorted(second)
    assert len({tuple(usual), tuple(first), tuple(second)}) == 3


@pytest.mark.parametrize("framework", ["pytest", "unittest"])
def test_classes_stay_whole(project: Project, framework: str) -> None:
    project.write(FILES[framework])
    for seed in (1, 2, 3):
        classes = [name.rpartition("test_")[0] for name in order(project, framework, seed)]
        changes = sum(one != other for one, other in pairwise(classes))
        assert changes == len(set(classes)) - 1


def test_loaders_in_tests_sort_as_ever(project: Project) -> None:
    inner = """
        import unittest

        class InnerTest(unittest.TestCase):
            def test_usual_order(self):
                class Other(unittest.TestCase):
                    def test_1(self): pass
                    def test_2(self): pass
                    def test_3(self): pass
                    def test_4(self): pass
                names = unittest.defaultTestLoader.getTestCaseNames(Other)
                self.assertEqual(names, ["test_1", "test_2", "test_3", "test_4"])
    """
    project.write({"tests/__init__.py": "", "tests/test_x.py": inner})
    assert len(order(project, "unittest", 1)) == 1
