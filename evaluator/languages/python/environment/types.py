"""Python's recipes and environments, and the fields of a recipe in plain data (TOML or YAML)."""

from __future__ import annotations

import dataclasses
import datetime
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, ClassVar

from packaging.requirements import InvalidRequirement, Requirement
from pydantic import AfterValidator, Field

from evaluator.environment import fields
from evaluator.environment.fields import (
    FieldError,
    Paths,
    Services,
    Texts,
    Variables,
    known_framework,
    refusal,
)
from evaluator.environment.types import Environment, Recipe, Uncompiled
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.python.frameworks import FRAMEWORKS


@dataclass(frozen=True, kw_only=True)
class PythonRecipe(Recipe):
    """How a Python repository at some versions is installed and tested.

    `python` lists acceptable minor versions, preferred first; the first installed one for which
    every package has a wheel is taken. `packages` and the files named by `requirement_files` are
    resolved as of `resolve_as_of` (the instance's date where None), with `newer_packages` exempt
    from that date because they were uploaded again later. A requirement file is one of pip's, a
    lock file, whose pins only constrain, or `setup.py[test]`, the project's own with extras.
    `install` is `metadata`, which writes the project's metadata beside its sources; `wheel`, which
    builds a wheel of the tree for its compiled and generated files; or a shell command, run in a
    copy of the tree with the environment active, read-only, and no network. The files that it
    creates are kept and laid over every later tree of that commit. `binaries` names a release, or
    several separated by spaces (`scikit-learn==0.21.3`): the compiled files of the first one that
    has every module of which the tree has a source (`.pyx`) are laid over the tree. Where none
    has, or the fix touches compiled sources, they are built from the tree as with `wheel`.
    `import_roots` are directories of the tree that go on PYTHONPATH. `optional_packages` are names
    of packages that are left out where they cannot be built: those for tests, and those of the
    projects below the root. `left_out` are projects below it that need such a one. With
    `compiled_is_optional`, so are compiled modules of the project itself.
    """

    language: ClassVar[str] = "python"

    python: tuple[str, ...]
    framework: str = "pytest"
    packages: tuple[str, ...] = ()
    requirement_files: tuple[str, ...] = ()
    resolve_as_of: datetime.date | None = None
    newer_packages: tuple[str, ...] = ()
    without_packages: tuple[str, ...] = ()
    pre_install: tuple[str, ...] = ()
    install: str = ""
    binaries: str = ""
    import_roots: tuple[str, ...] = ("",)
    optional_packages: tuple[str, ...] = ()
    left_out: tuple[Uncompiled, ...] = ()
    compiled_is_optional: bool = False

    def adding(self, package: str) -> PythonRecipe:
        """The recipe with one package more."""
        return dataclasses.replace(self, additional_packages=(*self.additional_packages, package))


@dataclass(frozen=True, kw_only=True)
class PythonEnvironment(Environment):
    """An interpreter with packages; `python` is the program of a virtual environment.

    `own_programs` is a directory with the command-line programs of the project itself, if any;
    `date` that of the commit, where packages are resolved as of one.
    """

    recipe: PythonRecipe
    python: Path
    date: datetime.date | None = None
    own_programs: Path | None = None

    @property
    def programs(self) -> tuple[Path, ...]:
        """Where the project's programs, the interpreter and the packages' programs lie."""
        return (*filter(None, [self.own_programs]), self.python.parent)

    def variables(self, tree: str, seed: int) -> Mapping[str, str]:
        """Where modules are imported from, and the seed of string hashes."""
        roots = (str(PurePosixPath(tree, root)) for root in self.recipe.import_roots)
        return {
            "PYTHONPATH": os.pathsep.join(roots),
            "PYTHONHASHSEED": str(seed),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def launch(self, probe: str, results: str) -> tuple[str, ...]:
        """The probe's supervisor, isolated from all that the target could have it import."""
        services = ("--services",) if self.services else ()
        return (str(self.python), "-I", "-S", "-B", f"{probe}/main.py", results, *services)


def python_recipe(recipe: Recipe) -> PythonRecipe:
    """The same recipe, known to be Python's. Raises EnvironmentBuildError for any other."""
    if isinstance(recipe, PythonRecipe):
        return recipe
    message = f"a recipe of {recipe.language} says nothing of Python"
    raise EnvironmentBuildError(message, recipe=str(recipe))


def python_environment(environment: Environment) -> PythonEnvironment:
    """The same environment, known to be Python's. Raises EnvironmentBuildError for any other."""
    if isinstance(environment, PythonEnvironment):
        return environment
    message = f"an environment of {environment.recipe.language} has no Python"
    raise EnvironmentBuildError(message, recipe=str(environment.recipe))


def read_recipe(data: Mapping[str, Any]) -> PythonRecipe:
    """The recipe that `data` describes; its keys are those of `PythonFields`.

    Raises FieldError for an unknown key, a value of the wrong type, or a missing `python`.
    """
    found = read_fields(data)
    if not found.get("python"):
        raise FieldError("python", "no Python version is given", 'write python = ["3.11"]')
    return PythonRecipe(**found)


def read_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """Checked values for those fields of a recipe that `data` gives. Raises FieldError."""
    return fields.given_fields(data, PythonFields)


def _check_versions(versions: tuple[str, ...]) -> tuple[str, ...]:
    for version in versions:
        if not re.fullmatch(r"3\.\d{1,2}", version):
            remedy = 'write minor versions in quotes, such as "3.11"'
            raise refusal(f"`{version}` is not a Python version", remedy)
    return versions


def _check_requirements(requirements: tuple[str, ...]) -> tuple[str, ...]:
    for requirement in requirements:
        try:
            Requirement(requirement)
        except InvalidRequirement as error:
            remedy = "write a requirement such as numpy>=1.20"
            raise refusal(f"`{requirement}` is not a requirement", remedy) from error
    return requirements


def _check_releases(text: str) -> str:
    for release in text.split():
        if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", release):
            remedy = "write releases such as scikit-learn==0.21.3, separated by spaces"
            raise refusal(f"`{release}` is not a release", remedy)
    return text


class PythonFields(fields.RecipeFields):
    """Those fields of a PythonRecipe that can be set."""

    python: Annotated[Texts, AfterValidator(_check_versions)] = ()
    framework: Annotated[str, known_framework(FRAMEWORKS)] = ""
    packages: Annotated[Texts, AfterValidator(_check_requirements)] = ()
    additional_packages: Annotated[Texts, AfterValidator(_check_requirements)] = ()
    requirement_files: Paths = ()
    resolve_as_of: datetime.date = datetime.date.min
    newer_packages: Texts = ()
    without_packages: Texts = ()
    pre_install: Texts = ()
    install: str = ""
    binaries: Annotated[str, AfterValidator(_check_releases)] = ""
    import_roots: Paths = ()
    test_arguments: Texts = ()
    variables: Variables = Field(default={})
    services: Services = ()
