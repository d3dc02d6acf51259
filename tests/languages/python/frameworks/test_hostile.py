"""Repositories that hide, forge or disturb what a run tells."""

from __future__ import annotations

import dataclasses

import pytest

from evaluator.errors import InputError
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.model import Status
from evaluator.sandbox.protocol import ExitReason, ResourceLimits

from .conftest import PLAIN, Project, plain_recipe, statuses

ONE = "def test_one(): pass\n"
TWO = "def test_one(): assert 0\ndef test_two(): pass\n"
BOTH = {"test_a.py::test_one": "failed", "test_a.py::test_two": "passed"}


@pytest.mark.parametrize(
    "options",
    [
        "--cov --cov-report=xml --of-no-known-plugin=3",
        "-n 4 --dist loadscope",
        "-x --maxfail=1",
        "-p no:terminal",
        "--lf",
        "-q -q -q",
        "--tb=no -rN --color=yes",
        "--continue-on-collection-errors --strict-markers",
    ],
)
def test_options_of_the_repository(project: Project, options: str) -> None:
    project.write({"pytest.ini": f"[pytest]\naddopts = {options}\n", "test_a.py": TWO})
    assert statuses(project.run("test_a.py")) == BOTH


@pytest.mark.parametrize(
    "conftest",
    [
        """
        import pytest
        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_logreport(report):
            report.outcome = "passed" if report.when == "never" else report.outcome
        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(item, call):
            outcome = yield
            outcome.get_result().longrepr = None
        """,
        """
        import sys
        def pytest_runtest_setup(item):
            print('{"event": "outcome", "test": "test_a.py::forged", "status": "passed"}')
            print("PASSED test_a.py::test_one")
            sys.stdout.flush()
        """,
        """
        import builtins, json, os, time
        def pytest_runtest_setup(item):
            builtins.print = None
            json.dumps = json.loads = os.write = time.time = None
        """,
        """
        import os
        def pytest_runtest_call(item):
            os.chdir("/")
            os.environ.clear()
        """,
        """
        import os, resource
        def pytest_runtest_setup(item):
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            os.closerange(20, soft)
        """,
        """
        import sys
        def pytest_runtest_setup(item):
            for name in list(sys.modules):
                if name.startswith("fixgate"):
                    del sys.modules[name]
            sys.path.clear()
        """,
        """
        import warnings
        warnings.simplefilter("error")
        """,
    ],
)
def test_hooks_and_replaced_functions(project: Project, conftest: str) -> None:
    project.write({"conftest.py": conftest, "test_a.py": TWO, "counting.py": "x = 1\n"})
    assert statuses(project.run("test_a.py", traced={"counting.py": {1}})) == BOTH


def test_os_exit_in_a_test(project: Project) -> None:
    project.write(
        {
            "counting.py": "def f():\n    return 1\n",
            "test_a.py": """
                import os, code_under_test
                def test_before(): assert code_under_test.f()
                def test_exit():
                    code_under_test.g()
                    os._exit(0)
                def test_after(): pass
            """,
            "code_under_test.py": "def f():\n    return 1\ndef g():\n    return 2\n",
        }
    )
    run = project.run("test_a.py", traced={"code_under_test.py": {2, 4}})
    assert statuses(run) == {
        "test_a.py::test_before": "passed",
        "test_a.py::test_exit": "crashed",
    }
    assert run.ending is ExitReason.KILLED
    assert run.status_of("test_a.py::test_after", "test_a.py") is Status.CRASHED
    assert run.hits == {"code_under_test.py": {2: 1, 4: 1}}


def test_a_test_that_kills_the_interpreter(project: Project) -> None:
    project.write(
        {
            "test_a.py": """
                import os, signal
                def test_before(): pass
                def test_kill(): os.kill(os.getpid(), signal.SIGSEGV)
            """
        }
    )
    run = project.run("test_a.py")
    assert statuses(run) == {"test_a.py::test_before": "passed", "test_a.py::test_kill": "crashed"}
    assert run.ending is ExitReason.KILLED


def test_a_test_that_never_ends(project: Project) -> None:
    project.write(
        {
            "test_a.py": """
                import time
                def test_before(): pass
                def test_sleep(): time.sleep(600)
                def test_after(): pass
            """
        }
    )
    run = project.run("test_a.py", limits=ResourceLimits(wall_seconds=4))
    assert statuses(run) == {"test_a.py::test_before": "passed", "test_a.py::test_sleep": "timeout"}
    assert run.ending is ExitReason.TIMEOUT
    assert run.status_of("test_a.py::test_after", "test_a.py") is Status.TIMEOUT


def test_exit_while_a_file_is_imported(project: Project) -> None:
    project.write({"test_a.py": "import sys\nsys.exit(0)\n" + ONE, "test_b.py": ONE})
    run = project.run("test_a.py", "test_b.py")
    assert run.outcomes["test_a.py"].status is Status.ERROR
    failure = run.outcomes["test_a.py"].failure
    assert failure is not None
    assert failure.exception_type == "SystemExit"


def test_what_the_exit_of_a_plug_in_was_the_answer_to_is_said(project: Project) -> None:
    code = "import sys\ntry:\n    import own_parser\nexcept ImportError:\n    sys.exit(1)\n"
    project.write({"own.py": code, "test_a.py": ONE})
    recipe = plain_recipe("pytest")
    with_plug_in = dataclasses.replace(recipe, variables={**PLAIN, "PYTEST_PLUGINS": "own"})
    run = project.run("test_a.py", recipe=with_plug_in)
    failure = run.outcomes["test_a.py"].failure
    assert failure is not None
    assert failure.exception_type == "SystemExit"
    said = "1, because of ModuleNotFoundError: No module named 'own_parser'"
    assert (failure.message, failure.frame and failure.frame.path) == (said, "own.py")


def test_a_fork_that_goes_on_is_not_recorded(project: Project) -> None:
    project.write(
        {
            "test_a.py": """
                import os
                def test_fork():
                    child = os.fork()
                    if child:
                        os.waitpid(child, 0)
                def test_once(): pass
            """
        }
    )
    assert statuses(project.run("test_a.py")) == {
        "test_a.py::test_fork": "passed",
        "test_a.py::test_once": "passed",
    }


def test_messages_and_names_of_any_size(project: Project) -> None:
    project.write(
        {
            "test_a.py": """
                import pytest
                class Unprintable(Exception):
                    def __str__(self): raise RuntimeError("no")
                def test_long():
                    raise ValueError("x" * 10_000_000)
                def test_unprintable():
                    raise Unprintable()
                def test_surrogate():
                    raise ValueError("\\udc80 \\x00")
                @pytest.mark.parametrize("x", [1, 2], ids=["a" * 9000, "a" * 8999 + "b"])
                def test_name(x): pass
            """
        }
    )
    run = project.run("test_a.py")
    failures = [outcome.failure for outcome in run.outcomes.values() if outcome.failure]
    assert len(run.outcomes) == 5
    assert [failure.message[:3] for failure in failures] == ["xxx", "<an", "? \x00"]
    assert max(len(failure.message) for failure in failures) < 5000
    assert all(len(test.encode()) < 5000 for test in run.outcomes)


def test_deep_recursion_in_tests_and_traced_code(project: Project) -> None:
    sum_of_many = " + ".join(["1"] * 900)
    project.write(
        {
            "code_under_test.py": f"def f(x):\n    return f(x)\n\nvalue = ({sum_of_many})\n",
            "test_a.py": """
                import pytest, code_under_test
                def test_deep():
                    with pytest.raises(RecursionError):
                        code_under_test.f(1)
                def test_fails():
                    code_under_test.f(1)
            """,
        }
    )
    run = project.run("test_a.py", traced={"code_under_test.py": {2, 4}})
    assert statuses(run) == {"test_a.py::test_deep": "passed", "test_a.py::test_fails": "failed"}
    assert run.hits["code_under_test.py"][2] > 500
    assert run.hits["code_under_test.py"][4] == 1
    assert dict(run.untraced) == {}


@pytest.mark.bubblewrap
def test_a_test_that_deletes_its_tree(walled_project: Project) -> None:
    walled_project.write(
        {
            "test_a.py": """
                import os, shutil
                def test_before(): pass
                def test_delete():
                    for entry in os.listdir("."):
                        shutil.rmtree(entry, ignore_errors=True)
                        if os.path.isfile(entry):
                            os.unlink(entry)
                def test_after(): assert not os.listdir(".")
            """
        }
    )
    run = walled_project.run("test_a.py")
    assert statuses(run) == {
        "test_a.py::test_before": "passed",
        "test_a.py::test_delete": "passed",
        "test_a.py::test_after": "passed",
    }
    assert "/testbed" not in run.command


def test_an_unknown_framework_is_named(project: Project) -> None:
    project.write({"test_a.py": ONE})
    with pytest.raises(
        InputError, match="`nose` is not known; use one of django, django-project, pytest"
    ):
        project.run("test_a.py", recipe=PythonRecipe(python=("3.11",), framework="nose"))


def test_a_thread_that_is_left_behind_does_not_hold_the_run_up(project: Project) -> None:
    project.write(
        {
            "test_a.py": """
                import threading, time
                def test_x(): threading.Thread(target=time.sleep, args=(600,)).start()
            """
        }
    )
    run = project.run("test_a.py")
    assert statuses(run) == {"test_a.py::test_x": "passed"}
    assert run.ending is ExitReason.EXITED
    assert run.wall_seconds < 60
    assert "1 passed" in run.output
