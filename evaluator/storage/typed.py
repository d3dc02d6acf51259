"""Dataclasses as JSON types and back: the one way in which our own files become values.

pydantic is imported when the first value is read or written: that takes longer than `--help`.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator.field_paths import json_path

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

Value = TypeVar("Value")

_WORDS = {"missing": "required field missing", "unexpected_keyword_argument": "unknown field"}


class UnreadableError(ValueError):
    """A document is not what was stored: each problem with its place, such as `$.tests[0]`."""


def as_json(value: object) -> Any:
    """A dataclass as JSON types; texts may hold bytes that were no UTF-8, as lone surrogates."""
    kind: Any = type(value)  # which mypy does not take for hashable
    return _adapter(kind).dump_python(value, mode="json")


def read_as(kind: type[Value], document: object) -> Value:
    """The value of a type that `as_json` gave. Raises UnreadableError."""
    from pydantic import ValidationError

    wanted: Any = kind
    try:
        value: Value = _adapter(wanted).validate_python(document)
    except ValidationError as error:
        raise UnreadableError("; ".join(map(_problem, error.errors()))) from error
    return value


def learn(*kinds: type) -> None:
    """Learn now to read and write types, for all processes that are forked from this one."""
    for kind in kinds:
        wanted: Any = kind
        _adapter(wanted)


@functools.cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _problem(error: ErrorDetails) -> str:
    words = _WORDS.get(error["type"], error["msg"].removeprefix("Input "))
    return f"{words} @ {json_path(error['loc'])}"
