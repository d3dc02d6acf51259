"""The fields of a Java recipe in plain data (TOML or YAML)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from evaluator.environment import fields
from evaluator.environment.fields import (
    Paths,
    Texts,
    Variables,
    known_framework,
    refusal,
)
from evaluator.languages.java.environment.types import BUILDS, PLATFORM
from evaluator.languages.java.frameworks import FRAMEWORKS

_COORDINATES = re.compile(rf"[\w.-]+:[\w.-]+:[\w.-]+(?:{PLATFORM})?")
_UNVERSIONED = re.compile(r"[\w.-]+:[\w.-]+")


def read_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """The checked values of those fields of a recipe that `data` sets. Raises FieldError."""
    return fields.given_fields(data, JavaFields)


def _check_build(name: str) -> str:
    if name not in BUILDS:
        raise refusal(f"`{name}` is not a known build", f"use one of {', '.join(BUILDS)}")
    return name


def _check_dependencies(names: tuple[str, ...]) -> tuple[str, ...]:
    has_platform = any(name.endswith(PLATFORM) for name in names)
    for name in names:
        if has_platform and _UNVERSIONED.fullmatch(name):
            continue
        inside = not name.startswith("/") and ".." not in name.split("/")
        if not _COORDINATES.fullmatch(name) and not (name.endswith(".jar") and inside):
            raise refusal(
                f"`{name}` is no dependency",
                "write `group:artifact:version`, or the path of a jar in the repository; a version "
                f"may be left out where a platform (`group:artifact:version{PLATFORM}`) says it",
            )
    return names


class JavaFields(fields.RecipeFields):
    """Those fields of a JavaRecipe that can be set."""

    java: Texts = ()
    build: Annotated[str, AfterValidator(_check_build)] = ""
    modules: Paths = ()
    arguments: Texts = ()
    sources: Paths = ()
    tests: Paths = ()
    excludes: Paths = ()
    dependencies: Annotated[Texts, AfterValidator(_check_dependencies)] = ()
    framework: Annotated[str, known_framework(FRAMEWORKS)] = ""
    test_arguments: Texts = ()
    variables: Variables = Field(default={})
