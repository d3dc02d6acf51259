"""The fields of a Python recipe in plain data (TOML or YAML)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Annotated, Any

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
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.languages.python.frameworks import FRAMEWORKS


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
    requirement_files: Paths = ()
    resolve_as_of: datetime.date = datetime.date.min
    newer_packages: Texts = ()
    pre_install: Texts = ()
    install: str = ""
    binaries: Annotated[str, AfterValidator(_check_releases)] = ""
    import_roots: Paths = ()
    test_arguments: Texts = ()
    variables: Variables = Field(default={})
    services: Services = ()
