"""Of the tests in a file, only those that are named run."""

from __future__ import annotations

import pytest

from .conftest import Project
from .test_order import FILES


def chosen(project: Project, framework: str, count: int) -> frozenset[str]:
    """The names of the first tests of the framework's test file."""
    run = project.run(file_of(framework), framework=framework)
    return frozenset(sorted(run.outcomes)[:count])


def file_of(framework: str) -> str:
    return next(path for path in FILES[framework] if path.endswith("test_x.py"))


@pytest.mark.parametrize("framework", list(FILES))
def test_only_the_named_tests_run(project: Project, framework: str) -> None:
    project.write(FILES[framework])
    only = chosen(project, framework, 2)
    run = project.run(file_of(framework), framework=framework, only=only, seed=1)
    assert set(run.outcomes) == only
    assert run.exit_code == 0


def test_a_function_is_chosen_with_all_its_cases(project: Project) -> None:
    tests = """
        import pytest

        @pytest.mark.parametrize("value", ["one", "two"])
        def test_some(value): pass

        def test_some_more(): pass
    """
    project.write({"test_x.py": tests})
    some = frozenset({"test_x.py::test_some"})
    run = project.run("test_x.py", framework="pytest", only=some)
    assert set(run.outcomes) == {"test_x.py::test_some[one]", "test_x.py::test_some[two]"}


@pytest.mark.parametrize("framework", list(FILES))
def test_where_no_named_test_is_there_nothing_runs(project: Project, framework: str) -> None:
    project.write(FILES[framework])
    run = project.run(file_of(framework), framework=framework, only=frozenset({"absent"}))
    assert not run.outcomes


@pytest.mark.parametrize("framework", list(FILES))
def test_a_file_that_cannot_be_loaded_is_reported_all_the_same(
    project: Project, framework: str
) -> None:
    project.write({**FILES[framework], file_of(framework): "import absent\n"})
    run = project.run(file_of(framework), framework=framework, only=frozenset({"absent"}))
    assert [o.status for o in run.outcomes.values()] == ["error"]


def test_tests_of_the_same_name_are_all_chosen(project: Project) -> None:
    tests = """
        import unittest

        class Case(unittest.TestCase):
            def test_same(self): pass
            def test_other(self): pass

        def load_tests(loader, tests, pattern):
            return unittest.TestSuite([Case("test_same"), Case("test_same"), Case("test_other")])
    """
    project.write({"test_x.py": tests})
    same = frozenset({"test_x.Case.test_same#2"})
    run = project.run("test_x.py", framework="unittest", only=same)
    assert set(run.outcomes) == {"test_x.Case.test_same", "test_x.Case.test_same#2"}
