"""Recipes of small projects that are laid out as real ones are."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.languages.python.environment.automation import for_some_environments
from evaluator.languages.python.environment.discover import discover_recipe
from evaluator.languages.python.environment.environments import PythonEnvironments
from evaluator.languages.python.environment.project import own_extras, read_project
from evaluator.languages.python.environment.requirements import read_requirement_files

from .conftest import Write


def needed(tree: Path) -> set[str]:
    """All that is installed for a tree, its own dependencies and those of its tests."""
    recipe = discover_recipe(tree)
    requirements, _ = read_requirement_files(tree, recipe.requirement_files)
    return {*recipe.packages, *requirements}


def test_plain_requirements_beside_declared_dependencies(write_tree: Write) -> None:
    pyproject = """
[project]
name = "own"
dependencies = ["anyio>=3"]
[project.optional-dependencies]
http2 = ["h2"]
full = ["pyyaml", "own[http2]"]
"""
    requirements = "# development\n-e .[full]\n\n# Testing\npytest==7.1\ntrio\n"
    tree = write_tree({"pyproject.toml": pyproject, "requirements.txt": requirements})
    assert needed(tree) == {"anyio>=3", "pyyaml", "h2", "pytest==7.1", "trio"}


def test_plain_requirements_without_tests_repeat_what_is_declared(write_tree: Write) -> None:
    pyproject = '[project]\nname = "own"\ndependencies = ["anyio>=3"]\n'
    tree = write_tree({"pyproject.toml": pyproject, "requirements.txt": "anyio==3.6\nuvloop\n"})
    assert needed(tree) == {"anyio>=3", "pytest"}


@pytest.mark.parametrize(
    ("line", "extras"),
    [
        ("-e .[brotli,http2]", ("brotli", "http2")),
        ("-e.[dev]", ("dev",)),
        (".[test]", ("test",)),
        ("--editable=./[a]", ("a",)),
        ("-e .", ()),
        ("requests[socks]", ()),
        ("-e ./other[x]", ()),
    ],
)
def test_lines_that_name_the_project_itself(line: str, extras: tuple[str, ...]) -> None:
    assert own_extras(line) == extras


def test_requirement_files_by_purpose_together_with_tox(write_tree: Write) -> None:
    setup = (
        "from setuptools import setup\nsetup(name='own', install_requires=reqs('default.txt'))\n"
    )
    tox = """
[base]
deps = pytest-order
[testenv]
deps =
    -r{toxinidir}/requirements/test.txt
    -r{toxinidir}/requirements/pkgutils.txt
    {[base]deps}
    3.9: -r{toxinidir}/requirements/docs.txt
"""
    files = {
        "setup.py": setup,
        "tox.ini": tox,
        "requirements/default.txt": "kombu>=5\n",
        "requirements/test.txt": "pytest\n",
        "requirements/pkgutils.txt": "build-tool\n",
        "requirements/docs.txt": "sphinx\n",
    }
    assert needed(write_tree(files)) == {"kombu>=5", "pytest", "build-tool", "pytest-order"}


def test_all_that_a_line_of_tox_for_some_environments_refers_to_is_for_these(
    write_tree: Write,
) -> None:
    tox = """
[testenv]
deps =
    trustme
    old: {[django]old}
    new: {[django]new}
[django]
old =
    Django<5
    django-reversion
new = Django>=5
"""
    tree = write_tree({"pyproject.toml": '[project]\nname = "own"\n', "tox.ini": tox})
    assert needed(tree) == {"trustme", "pytest"}
    assert for_some_environments(tree) == ("Django<5", "django-reversion", "Django>=5")


@pytest.mark.parametrize(
    ("path", "roots"),
    [
        ("{toxinidir}/tests", ("", "tests")),
        ("{toxinidir}:{tox_root}{/}tests{:}{env:PYTHONPATH:}", ("", "tests")),
        ("{toxinidir}/absent:/tests:../tests:{env:HOME}/tests:{toxinidir}/package", ("",)),
    ],
)
def test_what_tox_puts_on_the_path(path: str, roots: tuple[str, ...], write_tree: Write) -> None:
    files = {"pyproject.toml": '[project]\nname = "own"\n', "package/__init__.py": ""}
    tox = f"[testenv]\nsetenv = PYTHONPATH = {path}\n"
    tree = write_tree({**files, "tests/test_x.py": "", "tox.ini": tox})
    assert discover_recipe(tree).import_roots == roots


@pytest.mark.parametrize(
    "files",
    [
        {"tox.toml": '[env_run_base]\ndeps = ["trustme"]\nextras = ["socks"]\n'},
        {"setup.cfg": "[testenv]\ndeps = trustme\nextras = socks\n"},
    ],
)
def test_other_places_of_tox(files: dict[str, str], write_tree: Write) -> None:
    setup = "from setuptools import setup\nsetup(name='own', extras_require={'socks': ['pysocks']})"
    assert needed(write_tree({**files, "setup.py": setup})) == {"trustme", "pysocks", "pytest"}


def test_tox_inside_pyproject(write_tree: Write) -> None:
    legacy = (
        '[project]\nname = "own"\n[tool.tox]\nlegacy_tox_ini = """\n[testenv]\ndeps = trustme\n"""'
    )
    assert needed(write_tree({"pyproject.toml": legacy})) == {"trustme", "pytest"}


def test_environments_of_hatch(write_tree: Write) -> None:
    pyproject = """
[project]
name = "own"
optional-dependencies = { redis = ["hiredis"] }
[tool.hatch.envs.default]
dependencies = ["psutil"]
[tool.hatch.envs.test]
extra-dependencies = ["pytest-randomly"]
features = ["redis"]
[tool.hatch.envs.docs]
dependencies = ["mkdocs"]
"""
    tree = write_tree({"pyproject.toml": pyproject})
    assert needed(tree) == {"psutil", "pytest-randomly", "hiredis", "pytest"}
    plain = {
        "pyproject.toml": "",
        "hatch.toml": '[envs.hatch-test]\nextra-dependencies = ["arrow"]\n',
    }
    assert needed(write_tree(plain)) >= {"arrow"}


def test_a_pipfile(write_tree: Write) -> None:
    pipfile = """
[packages]
requests = ">=2"
pyppeteer = "*"
own = { path = ".", editable = true }
lxml = { version = "<5", extras = ["html"], markers = "python_version > '3'" }
[dev-packages]
pytest = "*"
requests-file = "*"
"""
    assert needed(write_tree({"Pipfile": pipfile})) == {
        "requests>=2", "pyppeteer", "lxml[html]<5 ; python_version > '3'", "pytest", "requests-file"
    }  # fmt: skip


def test_groups_of_uv_and_pdm(write_tree: Write) -> None:
    uv = '[project]\nname = "own"\n[tool.uv]\ndev-dependencies = ["pytest", "respx"]\n'
    assert needed(write_tree({"pyproject.toml": uv})) == {"pytest", "respx"}
    pdm = '[project]\nname = "own"\n[tool.pdm.dev-dependencies]\ntest = ["pytest", "respx"]\n'
    assert needed(write_tree({"pyproject.toml": pdm})) == {"pytest", "respx"}


def test_sources_below_src_without_an_init(write_tree: Write) -> None:
    pyproject = '[project]\nname = "own"\n'
    tree = write_tree({"pyproject.toml": pyproject, "src/own/factory.py": ""})
    assert discover_recipe(tree).import_roots == ("src",)


def test_a_dependency_from_a_repository_is_its_released_package(write_tree: Write) -> None:
    pyproject = """
[project]
name = "own"
dependencies = [
    "own-core @ git+https://example.invalid/core.git",
    "plugin[x] @ git+https://example.invalid/p.git@main ; python_version > '3'",
    "wheel @ https://example.invalid/wheel-1.whl",
]
"""
    project = read_project(write_tree({"pyproject.toml": pyproject}))
    assert project.dependencies == ("own-core", "plugin[x] ; python_version > '3'")


def test_empty_classifiers_hide_nothing(write_tree: Write) -> None:
    setup = """
from setuptools import setup
setup(name="own", classifiers=["Programming Language :: Python :: 3.8"])
"""
    tree = write_tree({"setup.py": setup, "setup.cfg": "[metadata]\nlicense_file = LICENSE\n"})
    assert read_project(tree).classifiers == ("Programming Language :: Python :: 3.8",)
    assert discover_recipe(tree).python[0] == "3.8"


def test_extensions_that_a_module_beside_setup_py_makes(write_tree: Write) -> None:
    setup = "import setupinfo\nfrom setuptools import setup\nsetup(name='own', **setupinfo.all())\n"
    helper = "from distutils.core import Extension\ndef all(): return [Extension('x', ['x.c'])]\n"
    tree = write_tree({"setup.py": setup, "setupinfo.py": helper})
    assert discover_recipe(tree).install == "wheel"


MANAGE = """
import os, sys
if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
"""


@pytest.mark.parametrize(
    ("files", "settings"),
    [
        ({"manage.py": MANAGE}, "shop.settings"),
        ({"tox.ini": "[testenv]\nsetenv =\n  DJANGO_SETTINGS_MODULE=a.b\n"}, "a.b"),
        ({"Makefile": "test:\n\tDJANGO_SETTINGS_MODULE=a.b python -m django test\n"}, "a.b"),
        ({"runtests.py": 'os.environ["DJANGO_SETTINGS_MODULE"] = "a.b"\n'}, "a.b"),
        ({"tests/settings.py": "INSTALLED_APPS = []\n"}, "tests.settings"),
    ],
)
def test_projects_that_use_django(files: dict[str, str], settings: str, write_tree: Write) -> None:
    pyproject = '[project]\nname = "own"\ndependencies = ["django>=4"]\n'
    test = {"tests/test_x.py": "from django.test import TestCase\n"}
    recipe = discover_recipe(write_tree({"pyproject.toml": pyproject, **test, **files}))
    assert recipe.framework == "django-project"
    assert recipe.packages == ("django>=4",)
    assert recipe.variables == {"DJANGO_SETTINGS_MODULE": settings}


@pytest.mark.parametrize(
    ("files", "settings", "roots"),
    [
        ({"tests/shop/settings.py": ""}, "shop.settings", ("", "tests")),
        ({"tests/shop/settings/__init__.py": ""}, "shop.settings", ("", "tests")),
        ({"tests/shop/settings.py": "", "tests/__init__.py": ""}, "tests.settings", ("",)),
        ({"shop/settings.py": ""}, "tests.settings", ("",)),
    ],
)
def test_a_project_of_django_in_the_directory_of_the_tests(
    files: dict[str, str], settings: str, roots: tuple[str, ...], write_tree: Write
) -> None:
    pyproject = '[project]\nname = "own"\ndependencies = ["django>=4"]\n'
    script = {"tests/manage.py": MANAGE, "tests/settings.py": "INSTALLED_APPS = []\n"}
    recipe = discover_recipe(write_tree({"pyproject.toml": pyproject, **script, **files}))
    assert recipe.framework == "django-project"
    assert recipe.variables == {"DJANGO_SETTINGS_MODULE": settings}
    assert recipe.import_roots == roots


def test_pytest_with_settings_of_django(write_tree: Write) -> None:
    files = {"pytest.ini": "[pytest]\nDJANGO_SETTINGS_MODULE = shop.settings\n"}
    recipe = discover_recipe(write_tree({**files, ".github/fixgate.yml": (
        "environment:\n  variables: {LANG: C}\n  additional_packages: [x]\n"
    )}))  # fmt: skip
    assert (recipe.framework, recipe.packages) == ("pytest", ("pytest", "pytest-django"))
    assert recipe.variables == {"DJANGO_SETTINGS_MODULE": "shop.settings", "LANG": "C"}
    assert recipe.additional_packages == ("x",)


def test_what_a_commit_declares_counts_beside_its_recipe(write_tree: Write) -> None:
    cfg = (
        "[metadata]\nname = pylint\n[options]\ninstall_requires =\n    dill>=0.2\n    Toml>=0.9.2\n"
    )
    tree = write_tree({"setup.cfg": cfg})
    recipe = PythonEnvironments().recipe("pylint-dev/pylint", "2.13", tree)
    assert "Toml>=0.9.2" in recipe.packages  # type: ignore[attr-defined]
    assert "dill>=0.2" not in recipe.packages  # type: ignore[attr-defined]
