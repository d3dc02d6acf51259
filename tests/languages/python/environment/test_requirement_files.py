"""What requirement files and lock files of a tree ask for."""

from __future__ import annotations

import json

import pytest

from evaluator.languages.python.environment.discover import discover_recipe
from evaluator.languages.python.environment.project import requirement_lines
from evaluator.languages.python.environment.requirements import read_requirement_files
from tests.languages.python.environment.conftest import Write


def test_requirement_files_only(write_tree: Write) -> None:
    files = {
        "requirements.txt": "flask==2.0 \\\n  --hash=sha256:00\n",
        "requirements-dev.txt": "black\n",
        "requirements/test.txt": "-r ../requirements.txt\n-c pins.txt\npytest-mock  # for mocks\n",
        "requirements/pins.txt": "jinja2==3.0\n-r https://example.invalid/x.txt\n",
        "requirements/docs.txt": "sphinx\n",
    }
    tree = write_tree(files)
    recipe = discover_recipe(tree)
    assert recipe.requirement_files == ("requirements.txt", "requirements/test.txt")
    requirements, constraints = read_requirement_files(tree, recipe.requirement_files)
    assert (requirements, constraints) == (("flask==2.0", "pytest-mock"), ("jinja2==3.0",))
    assert recipe.install == ""


def test_only_releases_are_installed() -> None:
    lines = ["-e .", "./local", "git+https://example.invalid/x", "--index-url https://x.invalid",
             "x @ https://example.invalid/x.whl", "", "# comment", "real>=1  # why"]  # fmt: skip
    assert requirement_lines(lines) == ("real>=1",)


def test_a_pipfile_lock(write_tree: Write) -> None:
    lock = '{"default": {"flask": {"version": "==2.0"}}, "develop": {"x": {"git": "y"}}}'
    recipe = discover_recipe(write_tree({"Pipfile.lock": lock}))
    tree = write_tree({})
    assert recipe.requirement_files == ("Pipfile.lock",)
    assert read_requirement_files(tree, recipe.requirement_files) == ((), ("flask==2.0",))


LOCK = json.dumps({"develop": {"pytest": {"version": "==3.0.7"}, "mock": {"version": "==2.0"}}})


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("pytest>=5.0; python_version >= '3.0'", ("mock==2.0",)),
        ("pytest>=5.0; python_version >= '3.5' and os_name == 'posix'", ("mock==2.0",)),
        ("pytest>=5.0; python_version >= '3.10'", ("pytest==3.0.7", "mock==2.0")),
        ("pytest>=2.7; python_version < '3.0'", ("pytest==3.0.7", "mock==2.0")),
        ("pytest>=5.0; sys_platform == 'win32'", ("pytest==3.0.7", "mock==2.0")),
    ],
)
def test_a_pin_that_is_ruled_out_for_any_python_is_left_out(
    write_tree: Write, asked: str, kept: tuple[str, ...]
) -> None:
    tree = write_tree({"Pipfile.lock": LOCK, "requirements.txt": f"{asked}\n"})
    _, constraints = read_requirement_files(tree, ("requirements.txt", "Pipfile.lock"))
    assert constraints == kept
    assert read_requirement_files(tree, ("Pipfile.lock",), (asked,)) == ((), kept)


def test_of_several_lock_files_the_first_one_counts(write_tree: Write) -> None:
    """As radon has one of Poetry, and an old one of Pipenv."""
    newer = '[[package]]\nname = "pytest"\nversion = "7.2"\n'
    tree = write_tree({"poetry.lock": newer, "Pipfile.lock": LOCK})
    _, constraints = read_requirement_files(tree, discover_recipe(tree).requirement_files)
    assert set(constraints) == {"pytest==7.2", "mock==2.0"}
    spelled = newer.replace('"pytest"', '"PyTest"')
    _, constraints = read_requirement_files(
        write_tree({"poetry.lock": spelled}), ("poetry.lock", "Pipfile.lock")
    )
    assert set(constraints) == {"PyTest==7.2", "mock==2.0"}
