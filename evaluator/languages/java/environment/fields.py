"""The fields of a Java recipe in plain data (TOML or YAML)."""

from __future__ import annotations

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
from evaluator.languages.java.frameworks import FRAMEWORKS

BUILDS = ("maven",)


def read_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """The checked values of those fields of a recipe that `data` sets. Raises FieldError."""
    return fields.given_fields(data, JavaFields)


def _check_build(name: str) -> str:
    if name not in BUILDS:
        raise refusal(f"`{name}` is not a known build", f"use one of {', '.join(BUILDS)}")
    return name


class JavaFields(fields.RecipeFields):
    """Those fields of a JavaRecipe that can be set."""

    java: Texts = ()
    build: Annotated[str, AfterValidator(_check_build)] = ""
    modules: Paths = ()
    arguments: Texts = ()
    framework: Annotated[str, known_framework(FRAMEWORKS)] = ""
    test_arguments: Texts = ()
    variables: Variables = Field(default={})
