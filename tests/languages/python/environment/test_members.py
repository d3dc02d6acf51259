"""Repositories of several projects, and the projects that others take from their own tree."""

from __future__ import annotations

from evaluator.languages.python.environment.discover import discover_recipe

from .conftest import Write

MEMBER = """
[project]
name = "{name}"
requires-python = ">=3.10"
dependencies = [{dependencies}]
[project.optional-dependencies]
test = ["pytest>=7"]
"""


def test_a_repository_of_several_projects(write_tree: Write) -> None:
    files = {
        "core/pyproject.toml": MEMBER.format(name="grid-core", dependencies="'click>=8'"),
        "core/grid/core.py": "",
        "plugins/pool/pyproject.toml": MEMBER.format(
            name="grid-pool", dependencies="'grid-core>=1', 'redis'"
        ),
        "plugins/pool/src/grid_pool/__init__.py": "",
        "plugins/pool/uv.lock": "",
        "speed/pyproject.toml": MEMBER.format(name="grid-speed", dependencies="'cffi'"),
        "speed/grid_speed/table.pyx": "",
        "made/setup.py": "setup(name='made', ext_modules=[Extension('made', ['made.c'])])",
        "docs/pyproject.toml": MEMBER.format(name="pages", dependencies="'sphinx'"),
        "tests/data/setup.cfg": "[metadata]\nname = sample\n",
        "tests/test_grid.py": "import pytest\n",
    }
    recipe = discover_recipe(write_tree(files))
    assert recipe.packages == ("pytest", "click>=8", "pytest>=7", "redis")
    assert recipe.import_roots == ("", "core", "plugins/pool/src")
    assert recipe.requirement_files == ("plugins/pool/uv.lock",)
    assert "3.9" not in recipe.python
    assert [service.name for service in recipe.services] == ["redis"]
    assert recipe.install == "metadata"


def test_the_members_of_a_workspace_of_uv_are_no_releases(write_tree: Write) -> None:
    """A root that depends on its members would else be tested with those of the index."""
    workspace = """
[tool.uv.workspace]
members = [".", "./", "core", "plugins/*", "tests/helpers", "../outside", "/etc", "", "**x", 7]
exclude = ["plugins/old"]
"""
    files = {
        "pyproject.toml": MEMBER.format(name="grid", dependencies="'grid-core'") + workspace,
        "core/pyproject.toml": MEMBER.format(name="grid-core", dependencies="'click>=8'"),
        "core/src/grid/core.py": "",
        "plugins/pool/pyproject.toml": MEMBER.format(name="grid-pool", dependencies="'grid-core'"),
        "plugins/old/pyproject.toml": MEMBER.format(name="grid-old", dependencies="'six'"),
        "plugins/notes/README.md": "",
        "tests/helpers/setup.cfg": "[metadata]\nname = helpers\n",
        "other/pyproject.toml": MEMBER.format(name="other", dependencies="'attrs'"),
        "../outside/pyproject.toml": MEMBER.format(name="outside", dependencies="'attrs'"),
    }
    recipe = discover_recipe(write_tree(files))
    assert recipe.packages == ("pytest>=7", "click>=8", "pytest")
    assert recipe.import_roots == ("", "core/src", "plugins/pool", "tests/helpers")


def test_a_package_that_uv_has_from_a_directory_is_no_release(write_tree: Write) -> None:
    """As dynaconf's tool for releases is, which no index has."""
    sources = """
[tool.uv.sources]
helper = { path = ".github/helper/", editable = true }
far = [{ path = "../far" }, { git = "https://example.org/far" }]
"""
    own = MEMBER.format(name="own", dependencies="'click', 'helper'")
    files = {
        "pyproject.toml": own + sources,
        ".github/helper/pyproject.toml": MEMBER.format(name="helper", dependencies="'six'"),
        "../far/pyproject.toml": MEMBER.format(name="far", dependencies="'attrs'"),
    }
    recipe = discover_recipe(write_tree(files))
    assert recipe.packages == ("click", "pytest>=7", "six")
    assert recipe.import_roots == ("", ".github/helper")


def test_a_project_with_others_below_stands_for_itself(write_tree: Write) -> None:
    own, other = (MEMBER.format(name=name, dependencies="'click'") for name in ("own", "other"))
    recipe = discover_recipe(write_tree({"pyproject.toml": own, "other/pyproject.toml": other}))
    assert recipe.import_roots == ("",)


def test_projects_that_a_requirements_file_has_pip_install_from_the_tree(write_tree: Write) -> None:
    """As cloudpickle's tests have a package of their own beside them."""
    listed = "-e .[test]\n./tests/sample  # for tests\n-e plugin[all]\n--editable=./named\n"
    files = {
        "pyproject.toml": MEMBER.format(name="own", dependencies="'click'"),
        "dev-requirements.txt": "pytest\n-r requirements/more.txt\n-e git+https://x.invalid/p\n",
        "requirements/more.txt": f"{listed}./gone\n../outside\n-e ../outside\n./own.whl\n-e\n",
        "tests/sample/setup.py": "from setuptools import setup\nsetup(name='sample')\n",
        "tests/sample/_sample/__init__.py": "",
        "plugin/pyproject.toml": MEMBER.format(name="plugin", dependencies="'six', 'named'"),
        "plugin/src/plugin/__init__.py": "",
        "named/setup.cfg": "[metadata]\nname = named\n",
        "git+https/setup.cfg": "[metadata]\nname = strange\n",
        "../outside/pyproject.toml": MEMBER.format(name="outside", dependencies="'attrs'"),
        "tox.ini": "[testenv]\ndeps = -rdev-requirements.txt\n",
    }
    recipe = discover_recipe(write_tree(files))
    assert recipe.import_roots == ("", "tests/sample", "plugin/src", "named")
    assert recipe.packages == ("click", "pytest>=7", "pytest", "six")
