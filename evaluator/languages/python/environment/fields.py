"""Reads a Python recipe from plain data (TOML or YAML) and refuses whatever is not one."""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Mapping
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement

from evaluator.environment.fields import (
    FieldError,
    Reader,
    framework,
    kind_of,
    paths,
    read_known,
    services,
    text,
    texts,
    variables,
)
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.languages.python.frameworks import FRAMEWORKS


def read_recipe(data: Mapping[str, Any]) -> PythonRecipe:
    """The recipe that `data` describes; its keys are the fields of `PythonRecipe`.

    Raises FieldError for an unknown key, a value of the wrong type, or a missing `python`.
    """
    fields = read_fields(data)
    if not fields.get("python"):
        raise FieldError("python", "no Python version is given", 'write python = ["3.11"]')
    return PythonRecipe(**fields)


def read_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """Checked values for those fields of a recipe that `data` gives. Raises FieldError."""
    return read_known(data, READERS)


def _versions(key: str, value: object) -> tuple[str, ...]:
    for version in texts(key, value):
        if not re.fullmatch(r"3\.\d{1,2}", version):
            remedy = 'write minor versions in quotes, such as "3.11"'
            raise FieldError(key, f"`{version}` is not a Python version", remedy)
    return texts(key, value)


def _requirements(key: str, value: object) -> tuple[str, ...]:
    for requirement in texts(key, value):
        try:
            Requirement(requirement)
        except InvalidRequirement as error:
            remedy = "write a requirement such as numpy>=1.20"
            raise FieldError(key, f"`{requirement}` is not a requirement", remedy) from error
    return texts(key, value)


def _date(key: str, value: object) -> datetime.date:
    if isinstance(value, datetime.datetime) or not isinstance(value, datetime.date):
        raise FieldError(key, f"`{key}` is {kind_of(value)}", "write a date such as 2023-07-01")
    return value


def _binaries(key: str, value: object) -> str:
    for release in text(key, value).split():
        if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", release):
            remedy = "write releases such as scikit-learn==0.21.3, separated by spaces"
            raise FieldError(key, f"`{release}` is not a release", remedy)
    return text(key, value)


READERS: Mapping[str, Reader] = {
    "python": _versions,
    "framework": framework(FRAMEWORKS),
    "packages": _requirements,
    "requirement_files": paths,
    "resolve_as_of": _date,
    "newer_packages": texts,
    "pre_install": texts,
    "install": text,
    "binaries": _binaries,
    "import_roots": paths,
    "test_arguments": texts,
    "variables": variables,
    "services": services,
}

assert set(READERS) < {field.name for field in dataclasses.fields(PythonRecipe)}
