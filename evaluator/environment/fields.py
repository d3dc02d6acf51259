"""Reads a recipe from plain data (TOML or YAML) and refuses whatever is not one."""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Callable, Mapping
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement

from evaluator.environment.types import Recipe, Service

FRAMEWORKS = ("pytest", "unittest", "django", "sympy", "sphinx")


class FieldError(ValueError):
    """One key of a recipe is wrong: `key` is its dotted path, `remedy` says what to write."""

    def __init__(self, key: str, message: str, remedy: str) -> None:
        super().__init__(f"{message}; {remedy}")
        self.key = key


def read_recipe(data: Mapping[str, Any]) -> Recipe:
    """The recipe that `data` describes; its keys are the fields of `Recipe`.

    Raises FieldError for an unknown key, a value of the wrong type, or a missing `python`.
    """
    fields = read_fields(data)
    if not fields.get("python"):
        raise FieldError("python", "no Python version is given", 'write python = ["3.11"]')
    return Recipe(**fields)


def read_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """Checked values for those fields of a recipe that `data` gives. Raises FieldError."""
    refuse_unknown(data, READERS)
    return {key: READERS[key](key, value) for key, value in data.items()}


def refuse_unknown(data: Mapping[str, Any], known: Mapping[str, Any], within: str = "") -> None:
    """Raise FieldError for the first key of `data` that is not in `known`."""
    for key in data:
        if key not in known:
            raise FieldError(
                f"{within}{key}", f"unknown key `{key}`", f"known keys are {', '.join(known)}"
            )


def text(key: str, value: object) -> str:
    """A string."""
    if not isinstance(value, str):
        raise FieldError(key, f"`{key}` is {_type(value)}", "write a string")
    return value


def texts(key: str, value: object) -> tuple[str, ...]:
    """A list of strings; a single string is taken for a list of one."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        raise FieldError(key, f"`{key}` is {_type(value)}", "write a list of strings")
    return tuple(text(f"{key}[{number}]", item) for number, item in enumerate(value))


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


def _paths(key: str, value: object) -> tuple[str, ...]:
    for path in texts(key, value):
        if path.startswith("/") or ".." in path.split("/"):
            remedy = "write a path relative to the repository"
            raise FieldError(key, f"`{path}` leads out of the repository", remedy)
    return texts(key, value)


def _framework(key: str, value: object) -> str:
    name = text(key, value)
    if name not in FRAMEWORKS:
        remedy = f"use one of {', '.join(FRAMEWORKS)}"
        raise FieldError(key, f"`{name}` is not a known test framework", remedy)
    return name


def _date(key: str, value: object) -> datetime.date:
    if isinstance(value, datetime.datetime) or not isinstance(value, datetime.date):
        raise FieldError(key, f"`{key}` is {_type(value)}", "write a date such as 2023-07-01")
    return value


def _binaries(key: str, value: object) -> str:
    for release in text(key, value).split():
        if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", release):
            remedy = "write releases such as scikit-learn==0.21.3, separated by spaces"
            raise FieldError(key, f"`{release}` is not a release", remedy)
    return text(key, value)


def variables(key: str, value: object) -> Mapping[str, str]:
    """A mapping of strings to strings."""
    if not isinstance(value, dict):
        raise FieldError(key, f"`{key}` is {_type(value)}", "write names and their values")
    return {text(key, name): text(f"{key}.{name}", item) for name, item in value.items()}


def _services(key: str, value: object) -> tuple[Service, ...]:
    if not isinstance(value, list):
        raise FieldError(key, f"`{key}` is {_type(value)}", "write a list of services")
    return tuple(_service(f"{key}[{number}]", item) for number, item in enumerate(value))


def _service(key: str, value: object) -> Service:
    if not isinstance(value, dict):
        raise FieldError(key, f"`{key}` is {_type(value)}", "write name, command and variables")
    readers: Mapping[str, Reader] = {"name": text, "command": texts, "variables": variables}
    refuse_unknown(value, readers, f"{key}.")
    for needed in ("name", "command"):
        if not value.get(needed):
            raise FieldError(f"{key}.{needed}", f"`{needed}` is missing", "write it")
    return Service(**{name: readers[name](f"{key}.{name}", item) for name, item in value.items()})


def _type(value: object) -> str:
    names = {dict: "a mapping", list: "a list", str: "a string", type(None): "empty"}
    return names.get(type(value), f"a {type(value).__name__}")


Reader = Callable[[str, object], Any]

READERS: Mapping[str, Reader] = {
    "python": _versions,
    "framework": _framework,
    "packages": _requirements,
    "requirement_files": _paths,
    "resolve_as_of": _date,
    "newer_packages": texts,
    "pre_install": texts,
    "install": text,
    "binaries": _binaries,
    "import_roots": _paths,
    "test_arguments": texts,
    "variables": variables,
    "services": _services,
}

assert set(READERS) < {field.name for field in dataclasses.fields(Recipe)}
