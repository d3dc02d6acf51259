"""Reads the fields of a recipe from plain data (TOML or YAML) and refuses whatever is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from evaluator.environment.types import Service

Reader = Callable[[str, object], Any]
"""Reads the value of a key, given by its dotted path; raises FieldError."""


class FieldError(ValueError):
    """One key of a recipe is wrong: `key` is its dotted path, `remedy` says what to write."""

    def __init__(self, key: str, message: str, remedy: str) -> None:
        super().__init__(f"{message}; {remedy}")
        self.key = key


def read_known(data: Mapping[str, Any], readers: Mapping[str, Reader]) -> dict[str, Any]:
    """The checked value of each key of `data`. Raises FieldError, also for an unknown key."""
    refuse_unknown(data, readers)
    return {key: readers[key](key, value) for key, value in data.items()}


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
        raise FieldError(key, f"`{key}` is {kind_of(value)}", "write a string")
    return value


def texts(key: str, value: object) -> tuple[str, ...]:
    """A list of strings; a single string is taken for a list of one."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        raise FieldError(key, f"`{key}` is {kind_of(value)}", "write a list of strings")
    return tuple(text(f"{key}[{number}]", item) for number, item in enumerate(value))


def paths(key: str, value: object) -> tuple[str, ...]:
    """A list of paths that stay inside the repository."""
    for path in texts(key, value):
        if path.startswith("/") or ".." in path.split("/"):
            remedy = "write a path relative to the repository"
            raise FieldError(key, f"`{path}` leads out of the repository", remedy)
    return texts(key, value)


def framework(names: Iterable[str]) -> Reader:
    """A reader of the name of one of these test frameworks."""
    known = tuple(names)

    def read(key: str, value: object) -> str:
        name = text(key, value)
        if name not in known:
            remedy = f"use one of {', '.join(known)}"
            raise FieldError(key, f"`{name}` is not a known test framework", remedy)
        return name

    return read


def variables(key: str, value: object) -> Mapping[str, str]:
    """A mapping of strings to strings."""
    if not isinstance(value, dict):
        raise FieldError(key, f"`{key}` is {kind_of(value)}", "write names and their values")
    return {text(key, name): text(f"{key}.{name}", item) for name, item in value.items()}


def services(key: str, value: object) -> tuple[Service, ...]:
    """A list of services, each with a name and a command."""
    if not isinstance(value, list):
        raise FieldError(key, f"`{key}` is {kind_of(value)}", "write a list of services")
    return tuple(_service(f"{key}[{number}]", item) for number, item in enumerate(value))


def _service(key: str, value: object) -> Service:
    if not isinstance(value, dict):
        raise FieldError(key, f"`{key}` is {kind_of(value)}", "write name, command and variables")
    readers: Mapping[str, Reader] = {"name": text, "command": texts, "variables": variables}
    refuse_unknown(value, readers, f"{key}.")
    for needed in ("name", "command"):
        if not value.get(needed):
            raise FieldError(f"{key}.{needed}", f"`{needed}` is missing", "write it")
    return Service(**{name: readers[name](f"{key}.{name}", item) for name, item in value.items()})


def kind_of(value: object) -> str:
    """What a value is, in words."""
    names = {dict: "a mapping", list: "a list", str: "a string", type(None): "empty"}
    return names.get(type(value), f"a {type(value).__name__}")
