"""What runs say of modules and fixtures that the environment lacks."""

from __future__ import annotations

import dataclasses

import pytest

from evaluator.languages.python.environment.additions import additions
from evaluator.languages.python.environment.lacking import lacking
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.model import Run

from .conftest import Project, own_environment, plain_recipe, statuses


@pytest.fixture
def environment() -> PythonEnvironment:
    return own_environment(plain_recipe("pytest"))


def wanted(environment: PythonEnvironment, run: Run, project: Project) -> list[tuple[str, str]]:
    found = additions(environment, run, project.tree)
    return [(addition.what, addition.package) for addition in found]


def test_modules_and_fixtures_that_are_missing(
    project: Project, environment: PythonEnvironment
) -> None:
    project.write(
        {
            "own/__init__.py": "",
            "test_module.py": "from bs4 import Tag\ndef test_x(): pass\n",
            "test_part.py": "import zope.interface.common\ndef test_x(): pass\n",
            "test_fixture.py": "def test_x(mocker): pass\n",
            "test_unknown.py": "def test_x(no_such_fixture): pass\n",
            "test_own.py": "import own.generated\ndef test_x(): pass\n",
            "test_inside.py": "def test_x():\n    import lxml_x\n",
        }
    )
    files = [path.name for path in sorted(project.tree.glob("test_*.py"))]
    run = project.run(*files)
    assert wanted(environment, run, project) == [
        ("fixture mocker", "pytest-mock"),
        ("module bs4", "beautifulsoup4"),
        ("module lxml_x", "lxml-x"),
        ("module zope", "zope-interface"),
    ]
    assert lacking(environment, run.outcomes["test_own.py"], project.tree) == ""


@pytest.mark.parametrize(
    ("raised", "lacked"),
    [
        # As connexion's resolver quotes the import, and as its optional parts name their extra.
        ("""ValueError("cannot be used: No module named 'flask_x'")""", ["module flask_x"]),
        ("""ModuleNotFoundError("install own using the 'socks' extra")""", ["package pysocks"]),
        ("""ImportError("pip install own[docs, socks]")""", ["package pysocks"]),
        ("""ImportError("YAML needs ruamel.yaml")""", ["package ruamel-yaml"]),
        ("""ValueError("no ruamel.yaml in the 'socks' extra")""", []),
        ("""ImportError("of [socks] and the 'absent' extra")""", []),
        # As pyexcel and litestar have errors of their own for it.
        ("""LookupError("Please install ruamel.yaml")""", ["package ruamel-yaml"]),
        ("""LookupError("No PySocks, install 'own[socks]'")""", ["package pysocks"]),
        ("""LookupError("Please install something-else")""", []),
    ],
)
def test_what_a_test_says_that_it_lacks_as_it_runs(
    project: Project, environment: PythonEnvironment, raised: str, lacked: list[str]
) -> None:
    extras = 'socks = ["pysocks"]\ndocs = []\nother = ["ruamel.yaml"]\n'
    project.write(
        {
            "pyproject.toml": f'[project]\nname = "own"\n[project.optional-dependencies]\n{extras}',
            "test_x.py": f"def test_x():\n    raise {raised}\n",
        }
    )
    (outcome,) = project.run("test_x.py").outcomes.values()
    assert [lacking(environment, outcome, project.tree)] == (lacked or [""])


def test_what_a_file_says_that_it_lacks_as_it_is_loaded(
    project: Project, environment: PythonEnvironment
) -> None:
    extras = "[project.optional-dependencies]\nsocks = ['pysocks']\n"
    project.write(
        {
            "pyproject.toml": f'[project]\nname = "own"\n{extras}',
            "test_x.py": "class Lost(ImportError): pass\nraise Lost('PySocks is not installed')\n",
        }
    )
    (outcome,) = project.run("test_x.py").outcomes.values()
    assert lacking(environment, outcome, project.tree) == "package pysocks"


@pytest.mark.parametrize(
    ("reason", "added"),
    [
        # As of imageio's tests of ffmpeg.
        ("cannot be tested without lxml_x", [("module lxml_x", "lxml-x")]),
        ("lxml-x is not installed", [("module lxml_x", "lxml-x")]),
        ("not on this machine", []),
    ],
)
def test_what_a_test_asks_for_by_a_call(
    project: Project, environment: PythonEnvironment, reason: str, added: list[tuple[str, str]]
) -> None:
    asking = f"import pytest\n\nx = pytest.importorskip(\n    'lxml_x.part', reason={reason!r}\n)\n"
    project.write({"test_asking.py": asking})
    assert wanted(environment, project.run("test_asking.py"), project) == added


def test_a_module_that_can_be_no_package(project: Project, environment: PythonEnvironment) -> None:
    """cloudpickle's tests import `_cloudpickle_testpkg`, which lies beside them."""
    project.write({"test_x.py": "import _own_sample\ndef test_x(): pass\n"})
    run = project.run("test_x.py")
    assert lacking(environment, run.outcomes["test_x.py"], project.tree) == "module _own_sample"
    assert wanted(environment, run, project) == []


def test_a_plugin_that_the_configuration_names(
    project: Project, environment: PythonEnvironment
) -> None:
    project.write(
        {"conftest.py": "pytest_plugins = ['flask_x']\n", "test_x.py": "def test(): pass\n"}
    )
    assert wanted(environment, project.run("test_x.py"), project) == [("module flask_x", "flask-x")]


@pytest.mark.parametrize(
    ("allowed", "package"), [(("3.11", "3.7", "3.6"), "python<3.8"), (("3.11",), "pytest>=")]
)
def test_a_pinned_pytest_that_this_python_cannot_run(
    project: Project, environment: PythonEnvironment, allowed: tuple[str, ...], package: str
) -> None:
    """As a stale `deps` of tox has it; a test that can be loaded shows that nothing is lacking."""
    project.write({"test_x.py": "import imp_x\n", "test_y.py": "def test_y(): pass\n"})
    recipe = dataclasses.replace(
        environment.recipe, python=allowed, packages=("pytest<=3.0.7", "click")
    )
    old = dataclasses.replace(environment, recipe=recipe, packages=("pytest==3.0.7",))
    (found,) = additions(old, project.run("test_x.py", "test_y.py"), project.tree)
    assert found.what == "interpreter for pytest 3.0.7"
    assert found.package.startswith(package)
    assert isinstance(found.recipe, PythonRecipe)
    if package == "python<3.8":
        assert (found.key, found.recipe.python) == ("python", ("3.7", "3.6"))
    else:
        assert (found.key, found.recipe.packages) == ("packages", (found.package, "click"))


def test_what_no_file_of_the_base_imports_is_not_looked_for(
    project: Project, environment: PythonEnvironment
) -> None:
    project.write({"test_x.py": "__import__('stran' + 'ger')\ndef test_x(): pass\n"})
    run = project.run("test_x.py")
    assert lacking(environment, run.outcomes["test_x.py"], project.tree) == "module stranger"
    assert wanted(environment, run, project) == []


def test_a_filter_of_warnings_whose_module_is_missing(
    project: Project, environment: PythonEnvironment
) -> None:
    ini = "[pytest]\nfilterwarnings =\n  error\n  ignore: x:trio.TrioDeprecationWarning\n"
    project.write({"pytest.ini": ini, "test_x.py": "def test_x(): pass\n"})
    assert wanted(environment, project.run("test_x.py"), project) == [("module trio", "trio")]


CLASSIFIED = """
[project]
name = "own"
classifiers = [
    "Framework :: Django",
    "Framework :: Django :: 4.2",
    "Framework :: Django :: 5.2",
    "Framework :: Wagtail :: 6",
]
"""


@pytest.mark.parametrize(
    ("installed", "found"),
    [
        ("django==6.0.1", [("release django 5.2", "django<5.3")]),
        ("wagtail==7.0", [("release wagtail 6", "wagtail<7")]),
        ("django==5.2.9", []),
        ("flask==9.0", []),
    ],
)
def test_a_framework_that_is_newer_than_what_a_project_was_tested_with(
    project: Project,
    environment: PythonEnvironment,
    installed: str,
    found: list[tuple[str, str]],
) -> None:
    """What a newer release no longer has keeps tests from being loaded in ways of its own."""
    project.write(
        {
            "pyproject.toml": CLASSIFIED,
            "test_x.py": "int(check=1)\n",
            "test_y.py": "def test_y(no_such_fixture): pass\n",
        }
    )
    newer = dataclasses.replace(environment, packages=(installed,))
    assert wanted(newer, project.run("test_x.py", "test_y.py"), project) == found
    assert wanted(newer, project.run("test_y.py"), project) == []


STALE = """
import warnings
warnings.warn("'cached' is deprecated, use a lock: it is better", DeprecationWarning)
"""


def test_a_warning_that_counts_as_an_error_where_a_file_is_loaded(
    project: Project, environment: PythonEnvironment
) -> None:
    """A newer dependency warns, and no test of a strict project could be loaded any more."""
    project.write(
        {
            "pytest.ini": "[pytest]\nfilterwarnings = error\n",
            "stale.py": STALE,
            "test_x.py": "import stale\ndef test_x(): pass\n",
            "test_y.py": "import warnings\nwarnings.warn('short', DeprecationWarning)\n",
            "test_now.py": "import warnings\nwarnings.warn('a coroutine was never awaited')\n",
            "test_z.py": "import warnings\ndef test_z(): warnings.warn('in the test itself')\n",
        }
    )
    run = project.run("test_x.py", "test_y.py", "test_z.py", "test_now.py")
    (found,) = additions(environment, run, project.tree)
    ignored = "ignore:'cached' is deprecated, use a lock:DeprecationWarning"
    assert (found.package, found.key) == (f"-W {ignored}", "test_arguments")
    assert isinstance(found.recipe, PythonRecipe)
    assert found.recipe.test_arguments == ("-W", ignored)
    again = project.run("test_x.py", "test_z.py", recipe=found.recipe)
    assert statuses(again) == {"test_x.py::test_x": "passed", "test_z.py::test_z": "failed"}
