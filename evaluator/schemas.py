"""What the models of published files share: they refuse what they do not know, and document it."""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

DRAFT = "https://json-schema.org/draft/2020-12/schema"


class Section(BaseModel):
    """A part of a published file; its docstrings become the schema's descriptions."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, defer_build=True
    )


def described_fields(cls: type) -> Mapping[str, str]:
    """The fields of a class that a text stands below, with this text.

    pydantic reads these by itself if it is asked to, but then in every process that reads a file:
    it parses the source of the module for each class, which takes longer than all the rest.
    """
    (tree,) = ast.parse(inspect.getsource(cls)).body
    assert isinstance(tree, ast.ClassDef)
    return {
        field.target.id: text.value.value
        for field, text in itertools.pairwise(tree.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(text.value.value, str)
    }


def published_schema(made: Mapping[str, Any], *, identifier: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a file; `identifier` is its name and version, `NAME:1`."""
    return {"$schema": DRAFT, "$id": f"urn:fixgate:{identifier}", **made}
