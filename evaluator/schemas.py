"""What the models of published files share: they refuse what they do not know, and document it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

DRAFT = "https://json-schema.org/draft/2020-12/schema"


class Section(BaseModel):
    """A part of a published file; its docstrings become the schema's descriptions."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, defer_build=True
    )


def published_schema(made: Mapping[str, Any], *, identifier: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a file; `identifier` is its name and version, `NAME:1`."""
    return {"$schema": DRAFT, "$id": f"urn:fixgate:{identifier}", **made}
