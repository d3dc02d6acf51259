"""What a run gives its tests, and what it says about itself."""

from __future__ import annotations

import dataclasses
import py_compile
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from evaluator.environment.types import Service
from evaluator.errors import SandboxError
from evaluator.languages import language
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.run import runner_digest
from evaluator.sandbox.protocol import ExitReason

from .conftest import PLAIN, Project, statuses

LOOKS_AROUND = """
    import os, random, sys

    def test_place():
        assert os.path.samefile(os.getcwd(), os.path.dirname(__file__))

    def test_variables():
        assert os.environ["GIVEN"] == "yes"
        assert os.environ["PYTHONHASHSEED"] == "7"
        assert os.path.isdir(os.environ["HOME"])
        open(os.path.join(os.environ["HOME"], "x"), "w").close()

    def test_imports():
        import inside_root
        assert not any("probe" in entry for entry in sys.path)

    def test_no_compiled_files():
        assert not os.path.exists("__pycache__")
"""


@pytest.mark.parametrize(
    "bench", ["project", pytest.param("walled_project", marks=pytest.mark.bubblewrap)]
)
def test_surroundings(bench: str, request: pytest.FixtureRequest) -> None:
    project: Project = request.getfixturevalue(bench)
    project.write({"lib/inside_root.py": "", "test_a.py": LOOKS_AROUND})
    variables = {**PLAIN, "GIVEN": "yes"}
    recipe = PythonRecipe(python=("3.11",), import_roots=("lib", ""), variables=variables)
    run = project.run("test_a.py", recipe=recipe, seed=7)
    assert set(statuses(run).values()) == {"passed"}, run.output
    assert len(run.outcomes) == 4
    assert run.ending is ExitReason.EXITED
    assert "4 passed" in run.output


def test_the_command_reproduces_the_run(project: Project) -> None:
    project.write({"lib/a.py": "", "test_a.py": "import a\ndef test_x(): pass\n"})
    recipe = PythonRecipe(
        python=("3.11",),
        import_roots=("lib",),
        test_arguments=("-k", "x or y"),
        variables={**PLAIN, "TEXT": "two words"},
    )
    run = project.run("test_a.py", recipe=recipe)
    assert str(project.tree) not in run.command
    bin_directory = Path(sys.executable).parent
    done = subprocess.run(
        run.command,
        shell=True,
        cwd=project.tree,
        env={"PATH": f"{bin_directory}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "PASSED test_a.py::test_x" in done.stdout


def test_stale_compiled_files_are_not_used(project: Project) -> None:
    project.write({"code_a.py": "def f():\n    return 1\n"})
    assert Path(py_compile.compile(str(project.tree / "code_a.py")) or "").is_file()
    project.write({"test_a.py": "import code_a\ndef test_x(): assert code_a.f()\n"})
    run = project.run("test_a.py", traced={"code_a.py": {2}})
    assert run.hits == {"code_a.py": {2: 1}}


SERVED = """
    import os, urllib.request

    def test_service():
        assert urllib.request.urlopen(os.environ["SERVICE_URL"]).status == 200
"""


def serving(*command: str) -> PythonRecipe:
    service = Service("web", command, {"SERVICE_URL": "http://127.0.0.1:{port}/"})
    return PythonRecipe(python=("3.11",), variables=PLAIN, services=(service,))


@pytest.mark.parametrize(
    "bench", ["project", pytest.param("walled_project", marks=pytest.mark.bubblewrap)]
)
def test_a_service(bench: str, request: pytest.FixtureRequest) -> None:
    project: Project = request.getfixturevalue(bench)
    project.write({"test_a.py": SERVED})
    recipe = serving("python", "-m", "http.server", "--bind", "127.0.0.1", "{port}")
    run = project.run("test_a.py", recipe=recipe)
    assert statuses(run) == {"test_a.py::test_service": "passed"}, run.output


@pytest.mark.bubblewrap
@pytest.mark.redis
def test_a_service_on_its_usual_port(walled_project: Project) -> None:
    """In the sandbox nobody else has the port."""
    asks = """
        import socket
        def test_ping():
            with socket.create_connection(("127.0.0.1", 6379)) as redis:
                redis.sendall(b"PING\\r\\n")
                assert redis.recv(100) == b"+PONG\\r\\n"
    """
    walled_project.write({"test_a.py": asks})
    redis = Service("redis", ("redis-server", "--port", "{port}", "--save", ""), port=6379)
    recipe = PythonRecipe(python=("3.11",), variables=PLAIN, services=(redis,))
    run = walled_project.run("test_a.py", recipe=recipe)
    assert statuses(run) == {"test_a.py::test_ping": "passed"}, run.output


@pytest.mark.parametrize("command", [("no-such-program",), ("python", "-c", "print('sorry')")])
def test_a_service_that_does_not_start(project: Project, command: tuple[str, ...]) -> None:
    project.write({"test_a.py": SERVED})
    with pytest.raises(SandboxError, match="service web"):
        project.run("test_a.py", recipe=serving(*command))


@pytest.mark.parametrize("command", [("no-such-program",), ("python", "-c", "print('sorry')")])
def test_an_optional_service_that_does_not_start(project: Project, command: Sequence[str]) -> None:
    code = "import os\ndef test_x(): assert 'SERVICE_URL' not in os.environ\n"
    project.write({"test_a.py": code})
    (service,) = serving(*command).services
    optional = dataclasses.replace(service, optional=True)
    recipe = PythonRecipe(python=("3.11",), variables=PLAIN, services=(optional,))
    run = project.run("test_a.py", recipe=recipe)
    assert statuses(run) == {"test_a.py::test_x": "passed"}, run.output


def test_an_optional_service_does_not_take_the_port_of_another(project: Project) -> None:
    """In a sandbox that shares the network of this machine."""
    project.write({"test_a.py": "def test_x(): pass\n"})
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        command = ("python", "-c", "print('began')")
        service = Service("web", command, port=port, optional=True)
        recipe = PythonRecipe(python=("3.11",), variables=PLAIN, services=(service,))
        run = project.run("test_a.py", recipe=recipe)
    assert statuses(run) == {"test_a.py::test_x": "passed"}, run.output
    assert "began" not in run.output


def test_a_run_beside_a_service_that_is_killed(project: Project) -> None:
    project.write(
        {"test_a.py": "import os, signal\ndef test_x(): os.kill(os.getpid(), signal.SIGKILL)\n"}
    )
    recipe = serving("python", "-m", "http.server", "--bind", "127.0.0.1", "{port}")
    run = project.run("test_a.py", recipe=recipe)
    assert statuses(run) == {"test_a.py::test_x": "crashed"}
    assert run.ending is ExitReason.KILLED


def test_lines_of_modules_that_pytest_rewrites_and_that_runpy_runs(project: Project) -> None:
    project.write(
        {
            "conftest.py": "def helper(x):\n    assert x\n    return x\n",
            "script.py": "import sys\nfor i in range(3):\n    result = i\n",
            "test_a.py": """
                import importlib, runpy
                import conftest, script
                def test_x():
                    conftest.helper(1)
                    assert runpy.run_path("script.py")["result"] == 2
                    importlib.reload(script)
            """,
        }
    )
    traced = {"conftest.py": {1, 2, 3}, "script.py": {2, 3}}
    run = project.run("test_a.py", traced=traced)
    assert set(statuses(run).values()) == {"passed"}
    assert run.hits == {"conftest.py": {1: 1, 2: 1, 3: 1}, "script.py": {2: 12, 3: 9}}
    assert run.contexts["test_a.py::test_x"] == {"conftest.py": (2, 3), "script.py": (2, 3)}


def test_the_digest_is_of_the_code_that_runs() -> None:
    python = language("python")
    assert len(runner_digest(python)) == 64
    assert (python.runner.probe / "main.py").is_file()


def test_django_runner(project: Project) -> None:
    """A script in the place and manner of Django's own, without Django."""
    project.write(
        {
            "tests/runtests.py": """
                import sys, unittest
                labels = [each for each in sys.argv[1:] if not each.startswith("-")]
                assert sys.argv[1:6] == [
                    "--verbosity", "2", "--settings=test_sqlite", "--parallel", "1"]
                suite = unittest.defaultTestLoader.loadTestsFromNames(labels[2:])
                result = unittest.TextTestRunner(verbosity=2).run(suite)
                sys.exit(not result.wasSuccessful())
            """,
            "tests/app/__init__.py": "",
            "tests/app/tests.py": """
                import unittest
                class Tests(unittest.TestCase):
                    def test_x(self):
                        "Says what."
                    def test_y(self): self.fail()
            """,
            "tests/test_top-level.py": """
                import unittest
                class TestTop(unittest.TestCase):
                    def test_x(self): pass
            """,
            "tests/test_broken.py": "import nothing_of_this_name\nclass TestB: pass\n",
        }
    )
    files = ("tests/app/tests.py", "tests/test_top-level.py", "tests/test_broken.py")
    run = project.run(*files, framework="django")
    assert statuses(run) == {
        "app.tests.Tests.test_x": "passed",
        "app.tests.Tests.test_y": "failed",
        "test_top-level.TestTop.test_x": "passed",
        "tests/test_broken.py": "error",
    }
    assert run.outcomes["app.tests.Tests.test_x"].description == "Says what."
    assert run.outcomes["app.tests.Tests.test_x"].file == "tests/app/tests.py"
    assert run.exit_code == 1


def test_the_tests_of_a_project_that_uses_django(project: Project) -> None:
    """A script in the manner of `manage.py`, without Django."""
    project.write(
        {
            "manage.py": """
                import sys, unittest
                assert sys.argv[1:5] == ["test", "--verbosity", "2", "--noinput"]
                if __name__ == "__main__":
                    suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[5:])
                    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
            """,
            "shop/__init__.py": "",
            "shop/tests/__init__.py": "",
            "shop/tests/test_cart.py": """
                import unittest
                class CartTest(unittest.TestCase):
                    def test_x(self): pass
                    def test_y(self): self.fail()
            """,
            "shop/tests/test_broken.py": "import nothing_of_this_name\nclass TestB: pass\n",
        }
    )
    files = ("shop/tests/test_cart.py", "shop/tests/test_broken.py")
    run = project.run(*files, framework="django-project")
    assert statuses(run) == {
        "shop.tests.test_cart.CartTest.test_x": "passed",
        "shop.tests.test_cart.CartTest.test_y": "failed",
        "shop/tests/test_broken.py": "error",
    }
    assert "No module named 'nothing_of_this_name'" in str(run.outcomes[files[1]].failure)


def test_a_runner_that_stops_before_its_tests(project: Project) -> None:
    project.write(
        {
            "tests/runtests.py": "import sys\nsys.exit('no settings')\n",
            "tests/app/tests.py": "class Test: pass\n",
        }
    )
    run = project.run("tests/app/tests.py", framework="django")
    assert statuses(run) == {"tests/app/tests.py": "error"}
    assert run.exit_code == 1
    assert "no settings" in run.output


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
def test_a_display(project: Project) -> None:
    project.write(
        {
            "test_a.py": """
                import os, socket
                def test_x():
                    host, _, number = os.environ["DISPLAY"].partition(":")
                    socket.create_connection((host, 6000 + int(number)), 5).close()
            """
        }
    )
    command = ("Xvfb", ":{display}", "-listen", "tcp", "-nolisten", "unix")
    display = Service("display", command, {"DISPLAY": "127.0.0.1:{display}"})
    recipe = PythonRecipe(python=("3.11",), variables=PLAIN, services=(display,))
    run = project.run("test_a.py", recipe=recipe)
    assert statuses(run) == {"test_a.py::test_x": "passed"}, run.output
