"""Reads the fields of a Java recipe from plain data and refuses whatever is not one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluator.environment.fields import (
    FieldError,
    Reader,
    framework,
    paths,
    read_known,
    services,
    text,
    texts,
    variables,
)
from evaluator.languages.java.frameworks import FRAMEWORKS

BUILDS = ("maven", "javac")


def read_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """The checked values of those fields of a recipe that `data` sets. Raises FieldError."""
    return read_known(data, READERS)


def _build(key: str, value: object) -> str:
    name = text(key, value)
    if name not in BUILDS:
        raise FieldError(key, f"`{name}` is not a known build", f"use one of {', '.join(BUILDS)}")
    return name


READERS: Mapping[str, Reader] = {
    "java": texts,
    "build": _build,
    "modules": paths,
    "arguments": texts,
    "framework": framework(FRAMEWORKS),
    "test_arguments": texts,
    "variables": variables,
    "services": services,
}
