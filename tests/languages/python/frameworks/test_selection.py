"""Of the tests in a file, only those that are named run."""

from __future__ import annotations

import pytest

from .conftest import Project
from .test_order import FILES

CASES = """
    import pytest

    @pytest.mark.parametrize("value", ["one", "two"])
    def test_some(value): pass

    def test_some_more(): pass
"""


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


@pytest.mark.parametrize("framework", list(FILES))
def test_what_is_left_out_does_not_run(project: Project, framework: str) -> None:
    project.write(FILES[framework])
    every = project.run(file_of(framework), framework=framework).outcomes.keys()
    left_out = chosen(project, framework, 1)
    run = project.run(file_of(framework), framework=framework, without=left_out, seed=1)
    assert len(every) > 1
    assert set(run.outcomes) == every - left_out


def test_a_function_is_left_out_with_all_its_cases(project: Project) -> None:
    project.write({"test_x.py": CASES})
    run = project.run("test_x.py", without=frozenset({"test_x.py::test_some"}))
    assert set(run.outcomes) == {"test_x.py::test_some_more"}


def test_a_function_is_chosen_with_all_its_cases(project: Project) -> None:
    project.write({"test_x.py": CASES})
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
