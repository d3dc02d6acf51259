"""What pytest reports becomes outcomes, whatever the way in which a test ends."""

from __future__ import annotations

import pytest

from evaluator.model import Frame, Phase, Status
from evaluator.sandbox.protocol import ExitReason

from .conftest import Project, statuses

EVERY_ENDING = """
    import unittest
    import pytest
    from package.code import broken, double

    def test_passed():
        assert double(2) == 4

    def test_failed():
        assert double(2) == 5

    def test_raised():
        broken()

    @pytest.fixture
    def bad_setup():
        raise LookupError("no fixture today")

    @pytest.fixture
    def bad_teardown():
        yield
        raise OSError("no end")

    def test_setup(bad_setup): pass
    def test_teardown(bad_teardown): pass

    @pytest.mark.skip(reason="not now")
    def test_skipped(): pass

    @pytest.mark.xfail
    def test_xfailed(): assert 0

    @pytest.mark.xfail
    def test_xpassed(): pass

    @pytest.mark.xfail(strict=True)
    def test_strict(): pass

    @pytest.mark.xfail(run=False)
    def test_not_run(): pass

    @pytest.mark.parametrize("value", [1, "a b", "é"])
    def test_each(value): assert value == 1

    class TestUnit(unittest.TestCase):
        def test_failed(self): self.assertEqual(1, 2)
        @unittest.expectedFailure
        def test_expected(self): self.fail()
        def test_parts(self):
            for part in range(3):
                with self.subTest(part=part):
                    self.assertEqual(part, 0)
"""
CODE = """
    class BrokenError(Exception):
        pass

    def double(x):
        return 2 * x

    def broken():
        raise BrokenError("it is " + "broken")
"""


def test_each_way_to_end(project: Project) -> None:
    project.write({"package/__init__.py": "", "package/code.py": CODE, "test_a.py": EVERY_ENDING})
    run = project.run("test_a.py")
    assert statuses(run) == {
        "test_a.py::test_passed": "passed",
        "test_a.py::test_failed": "failed",
        "test_a.py::test_raised": "failed",
        "test_a.py::test_setup": "error",
        "test_a.py::test_teardown": "error",
        "test_a.py::test_skipped": "skipped",
        "test_a.py::test_xfailed": "xfailed",
        "test_a.py::test_xpassed": "xpassed",
        "test_a.py::test_strict": "failed",
        "test_a.py::test_not_run": "xfailed",
        "test_a.py::test_each[1]": "passed",
        "test_a.py::test_each[a b]": "failed",
        "test_a.py::test_each[\\xe9]": "failed",
        "test_a.py::TestUnit::test_failed": "failed",
        "test_a.py::TestUnit::test_expected": "xfailed",
        "test_a.py::TestUnit::test_parts": "failed",
    }
    assert run.ending is ExitReason.EXITED
    assert run.exit_code == 1
    assert {outcome.file for outcome in run.outcomes.values()} == {"test_a.py"}
    assert run.outcomes["test_a.py::test_setup"].phase is Phase.SETUP
    assert run.outcomes["test_a.py::test_teardown"].phase is Phase.TEARDOWN


def test_a_failure_tells_its_reason_and_place(project: Project) -> None:
    project.write({"package/__init__.py": "", "package/code.py": CODE, "test_a.py": EVERY_ENDING})
    outcomes = project.run("test_a.py").outcomes
    raised = outcomes["test_a.py::test_raised"].failure
    assert raised is not None
    assert raised.exception_type == "package.code.BrokenError"
    assert raised.message == "it is broken"
    assert raised.frame == Frame("package/code.py", 9, "broken")
    unit = outcomes["test_a.py::TestUnit::test_failed"].failure
    assert unit is not None
    assert (unit.exception_type, unit.message) == ("AssertionError", "1 != 2")
    assert unit.frame == Frame("test_a.py", 46, "test_failed")


def test_a_file_that_cannot_be_imported_is_one_outcome_and_stops_no_other(project: Project) -> None:
    project.write(
        {
            "test_bad.py": "import nothing_of_this_name\ndef test_x(): pass\n",
            "test_syntax.py": "def test_x(:\n",
            "test_skip.py": """
                import pytest
                pytest.skip("all of it", allow_module_level=True)
                def test_x(): pass
            """,
            "test_good.py": "def test_x(): pass\n",
        }
    )
    run = project.run("test_bad.py", "test_syntax.py", "test_skip.py", "test_good.py")
    assert statuses(run) == {
        "test_bad.py": "error",
        "test_syntax.py": "error",
        "test_skip.py": "skipped",
        "test_good.py::test_x": "passed",
    }
    failure = run.outcomes["test_bad.py"].failure
    assert failure is not None
    assert failure.exception_type == "ModuleNotFoundError"
    assert failure.frame == Frame("test_bad.py", 1, "<module>")
    assert run.outcomes["test_bad.py"].phase is Phase.COLLECTION
    assert run.status_of("test_bad.py::test_x", "test_bad.py") is Status.ERROR


def test_a_broken_conftest_fails_every_file(project: Project) -> None:
    project.write(
        {"conftest.py": "import nothing_of_this_name\n", "test_a.py": "def test_x(): pass\n"}
    )
    run = project.run("test_a.py")
    assert statuses(run) == {"test_a.py": "error"}
    failure = run.outcomes["test_a.py"].failure
    assert failure is not None
    assert failure.exception_type == "ModuleNotFoundError"
    assert failure.frame == Frame("conftest.py", 1, "<module>")


@pytest.mark.parametrize("strict", ["addopts = --strict-config", "filterwarnings = error"])
def test_settings_of_the_cache_and_of_plugins_that_are_absent_stop_nothing(
    project: Project, strict: str
) -> None:
    absent = "" if strict.startswith("filterwarnings") else "timeout = 5\n"
    settings = f"[pytest]\ncache_dir = /tmp/cache\n{absent}{strict}\n"
    project.write({"pytest.ini": settings, "test_a.py": "def test_x(): pass\n"})
    assert statuses(project.run("test_a.py")) == {"test_a.py::test_x": "passed"}


USING_THE_CACHE = """
    import pytest
    def pytest_sessionstart(session):
        cache = session.config.cache
        assert not cache.get("own/began", False)
        cache.set("own/began", True)
        assert cache.get("own/began", False) is True
    def pytest_addoption(parser):
        parser.addoption("--own")
    @pytest.fixture
    def own(request): return request.config.getoption("--own")
"""


def test_suites_that_use_the_cache_find_an_empty_one_in_each_run(project: Project) -> None:
    project.write(
        {
            "conftest.py": USING_THE_CACHE,
            "test_a.py": """
                def test_cache(cache):
                    assert cache.get("own/value", None) is None
                    cache.set("own/value", [1, (2,)])
                    assert cache.get("own/value", None) == [1, [2]]
                    assert not list(cache.mkdir("own").iterdir())
                    (cache.mkdir("own") / "file").write_text("")
            """,
        }
    )
    for _ in range(2):
        assert statuses(project.run("test_a.py")) == {"test_a.py::test_cache": "passed"}


@pytest.mark.parametrize("options", ["--lf --lfnf=none", "--ff --nf", "--sw --sw-skip", "--lf"])
def test_options_of_the_cache_leave_out_no_test_and_no_other_option(
    project: Project, options: str
) -> None:
    project.write(
        {
            "conftest.py": USING_THE_CACHE,
            "pytest.ini": f"[pytest]\naddopts = {options} --own=value\n",
            ".pytest_cache/v/cache/lastfailed": '{"test_a.py::test_2": true}',
            ".pytest_cache/v/cache/stepwise": '"test_a.py::test_2"',
            "test_a.py": """
                def test_1(own): assert own == "value" and 0
                def test_2(): pass
            """,
        }
    )
    run = project.run("test_a.py")
    assert statuses(run) == {"test_a.py::test_1": "failed", "test_a.py::test_2": "passed"}
    failure = run.outcomes["test_a.py::test_1"].failure
    assert failure is not None
    assert "'value' == 'value'" in failure.message


def test_a_session_that_is_refused_once_it_is_collected_fails_every_file(project: Project) -> None:
    refusing = "import pytest\ndef pytest_collection_finish(): raise pytest.UsageError('not now')\n"
    project.write({"conftest.py": refusing, "test_a.py": "def test_x(): pass\n"})
    run = project.run("test_a.py")
    assert statuses(run) == {"test_a.py": "error"}


LEAKING = """
    import gc

    class Leaking:
        def __init__(self): self.own = self
        def __del__(self): raise OSError("not closed")

    def test_first():
        gc.disable()
        Leaking()

    def test_second(): assert 0
"""


def test_what_objects_raise_once_all_tests_have_ended_cuts_no_run_short(project: Project) -> None:
    project.write({"pytest.ini": "[pytest]\nfilterwarnings = error", "test_a.py": LEAKING})
    run = project.run("test_a.py")
    assert "PytestUnraisableExceptionWarning" in run.output
    assert run.ending is ExitReason.EXITED
    assert statuses(run) == {"test_a.py::test_first": "passed", "test_a.py::test_second": "failed"}


def test_a_directory_that_a_test_leaves_behind_may_be_gone(project: Project) -> None:
    """A suite of command-line programs ends in one that it has removed itself."""
    test = """
        import os
        def test_leaves(tmp_path):
            os.chdir(tmp_path)
            tmp_path.rmdir()
        def test_after(): pass
    """
    project.write({"tests/test_a.py": test})
    run = project.run("tests/test_a.py")
    assert run.ending is ExitReason.EXITED
    assert statuses(run) == {
        "tests/test_a.py::test_leaves": "passed",
        "tests/test_a.py::test_after": "passed",
    }
    assert {outcome.file for outcome in run.outcomes.values()} == {"tests/test_a.py"}


def test_same_names_do_not_collide(project: Project) -> None:
    project.write(
        {
            "conftest.py": """
                def pytest_collection_modifyitems(items):
                    items.extend(list(items))
            """,
            "test_a.py": "def test_x(): pass\n",
        }
    )
    assert statuses(project.run("test_a.py")) == {
        "test_a.py::test_x": "passed",
        "test_a.py::test_x#2": "passed",
    }


def test_files_without_tests_are_not_run(project: Project) -> None:
    project.write(
        {
            "tests/helper.py": "raise SystemExit(3)\n",
            "tests/data.txt": "def test_x\n",
            "tests/test_a.py": "def test_x(): pass\n",
        }
    )
    files = ("tests/helper.py", "tests/data.txt", "tests/absent.py", "tests/test_a.py")
    assert statuses(project.run(*files)) == {"tests/test_a.py::test_x": "passed"}
    nothing = project.run("tests/helper.py")
    assert dict(nothing.outcomes) == {}
    assert nothing.wall_seconds == 0


def test_nested_sessions_are_not_recorded(project: Project) -> None:
    project.write(
        {
            "conftest.py": "pytest_plugins = ['pytester']\n",
            "test_a.py": """
                def test_outer(pytester):
                    pytester.makepyfile("def test_inner(): assert 0")
                    assert pytester.inline_run().ret == 1
                    pytester.runpytest_inprocess().assert_outcomes(failed=1)
            """,
        }
    )
    assert statuses(project.run("test_a.py")) == {"test_a.py::test_outer": "passed"}


def test_what_checks_the_style_of_files_is_no_test(project: Project) -> None:
    project.write(
        {
            "conftest.py": "pytest_plugins = ['pytest_ruff']\n",
            "pytest_ruff.py": """
                import pytest

                class RuffFile(pytest.File):
                    def collect(self):
                        return [RuffItem.from_parent(self, name="ruff")]

                class RuffItem(pytest.Item):
                    def runtest(self):
                        raise ValueError("the line is too long")

                def pytest_collect_file(file_path, parent):
                    if file_path.suffix == ".py":
                        return RuffFile.from_parent(parent, path=file_path)
            """,
            "test_a.py": "def test_one(): pass\n",
        }
    )
    assert statuses(project.run("test_a.py")) == {"test_a.py::test_one": "passed"}


@pytest.mark.parametrize("pattern", ["completion", "tests/completion", "compl*"])
def test_where_pytest_does_not_look_what_only_looks_like_a_test_is_data(
    project: Project, pattern: str
) -> None:
    broken = "def test_case():\n    #? int\n    1 +\n"
    project.write(
        {
            "pytest.ini": f"[pytest]\nnorecursedirs = .* {pattern}\n",
            "tests/completion/case.py": broken,
            "tests/completion/test_named.py": "def test_one(): pass\n",
            "tests/cases.py": "def test_two(): pass\n",
        }
    )
    given = ("tests/completion/case.py", "tests/completion/test_named.py", "tests/cases.py")
    assert statuses(project.run(*given)) == {
        "tests/completion/test_named.py::test_one": "passed",
        "tests/cases.py::test_two": "passed",
    }


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pytest.ini", "[pytest]\npython_files = check_*.py *_spec.py\n"),
        ("setup.cfg", "[tool:pytest]\npython_files = *_spec.py\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\npython_files = ['*_spec.py']\n"),
    ],
)
def test_files_are_found_by_the_projects_own_pattern(
    project: Project, file: str, text: str
) -> None:
    names = "python_functions = it_*\n" if file.endswith(("ini", "cfg")) else ""
    names = names or "python_functions = ['it_*']\n"
    project.write(
        {
            file: text + names,
            "tests/grid_spec.py": "def it_adds(): assert 1 + 1 == 2\n",
            "tests/helper.py": "def it_helps(): pass\n",
        }
    )
    run = project.run("tests/grid_spec.py", "tests/helper.py")
    assert statuses(run) == {"tests/grid_spec.py::it_adds": "passed"}
