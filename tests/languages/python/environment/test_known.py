"""The recipe files that ship with fixgate, and what is said about broken ones."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from evaluator.environment.types import Service
from evaluator.errors import InputError
from evaluator.languages.python.environment.recipes import (
    RECIPES,
    NotKnown,
    known_recipe,
    load_recipe_file,
    version_of,
)
from evaluator.languages.python.environment.types import PythonRecipe

from .conftest import Write

FILES = sorted(RECIPES.glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_recipe_file_can_be_read(path: Path) -> None:
    loaded = load_recipe_file(path)
    assert loaded.repository.replace("/", "__") == path.stem
    assert loaded.recipes


def test_a_known_version_has_a_recipe_and_an_unknown_one_lists_the_known() -> None:
    recipe = known_recipe("pallets/flask", "2.3")
    assert isinstance(recipe, PythonRecipe)
    assert recipe.variables["SETUPTOOLS_SCM_PRETEND_VERSION"] == "2.3"
    unknown = known_recipe("pallets/flask", "17.0")
    assert isinstance(unknown, NotKnown)
    assert "2.3" in unknown.versions
    assert "17.0" in str(unknown)
    assert known_recipe("nobody/nothing", "1.0") == NotKnown("nobody/nothing", "1.0")


def test_the_version_is_read_from_the_tree(write_tree: Write) -> None:
    tree = write_tree({"src/flask/__init__.py": '__version__ = "2.3.0.dev"\n'})
    assert version_of("pallets/flask", tree) == "2.3"
    assert version_of("nobody/nothing", tree) == ""


def test_a_version_without_a_recipe_is_told_too(write_tree: Write) -> None:
    tree = write_tree({"src/flask/__init__.py": '__version__ = "17.4.1"\n'})
    assert version_of("pallets/flask", tree) == "17.4"
    assert version_of("django/django", tree) == ""


def test_every_field_is_read_and_defaults_are_overridden(tmp_path: Path) -> None:
    path = tmp_path / "some__where.toml"
    path.write_text(
        """
repository = "some/where"
[defaults]
framework = "django"
python = ["3.9"]
[[recipe]]
versions = ["1.0", "1.1"]
python = ["3.6", "3.7"]
packages = ["numpy<2 ; python_version < '3.8'"]
resolve_as_of = 2023-07-01
newer_packages = ["atomicwrites"]
binaries = "numpy==1.16.6"
variables = { LANG = "C.UTF-8" }
[[recipe.services]]
name = "web"
command = ["python", "-m", "http.server"]
variables = { URL = "http://127.0.0.1:{port}/" }
[[recipe]]
versions = ["2.0"]
""",
        encoding="utf-8",
    )
    recipes = load_recipe_file(path).recipes
    assert recipes["1.1"] == PythonRecipe(
        python=("3.6", "3.7"),
        framework="django",
        packages=("numpy<2 ; python_version < '3.8'",),
        resolve_as_of=datetime.date(2023, 7, 1),
        newer_packages=("atomicwrites",),
        binaries="numpy==1.16.6",
        variables={"SETUPTOOLS_SCM_PRETEND_VERSION": "1.1", "LANG": "C.UTF-8"},
        services=(
            Service("web", ("python", "-m", "http.server"), {"URL": "http://127.0.0.1:{port}/"}),
        ),
        source="known recipe for 1.1",
    )
    assert recipes["2.0"].python == ("3.9",)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("versions = ['1']", r"recipe\[0\]\.python: no Python version"),
        ("versions = ['1']\npython = [3.9]", r"recipe\[0\]\.python\[0\]: .* is a float"),
        ("versions = ['1']\npython = ['2.7']", r"`2\.7` is not a Python version"),
        ("python = ['3.9']", r"recipe\[0\]\.versions: .* is empty; write a list"),
        ("versions = ['1', '1']\npython = ['3.9']", "`1` is there twice"),
        ("versions = ['1']\npython = ['3.9']\npackage = []", r"unknown key `package`; known keys"),
        ("versions = ['1']\npython = ['3.9']\npackages = ['a b']", "`a b` is not a requirement"),
        ("versions = ['1']\npython = ['3.9']\nframework = 'nose'", "use one of pytest"),
        ("versions = ['1']\npython = ['3.9']\nimport_roots = ['../x']", "leads out of"),
        ("versions = ['1']\npython = ['3.9']\nresolve_as_of = '2020'", "such as 2023-07-01"),
        ("versions = ['1']\npython = ['3.9']\nbinaries = 'numpy'", "write releases such as"),
        ("versions = ['1']\npython = ['3.9']\nservices = [{name = 'x'}]", "`command` is missing"),
        ("versions = [", "not valid TOML"),
    ],
)
def test_a_broken_recipe_file_is_refused_by_file_and_key(
    lines: str, complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "some__where.toml"
    path.write_text(f'repository = "some/where"\n[[recipe]]\n{lines}\n', encoding="utf-8")
    with pytest.raises(InputError, match=complaint) as caught:
        load_recipe_file(path)
    assert str(path) in str(caught.value)


def test_a_recipe_file_is_named_after_its_repository(tmp_path: Path) -> None:
    path = tmp_path / "other__name.toml"
    path.write_text('repository = "some/where"\n', encoding="utf-8")
    with pytest.raises(InputError, match="rename the file"):
        load_recipe_file(path)
