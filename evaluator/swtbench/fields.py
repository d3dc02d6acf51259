"""The fields of rows as models, which refuse whatever is none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationError,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from evaluator.field_paths import field_path
from evaluator.swtbench.rows import DataRow, Problems

_NAMES: Mapping[type, str] = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


class RowFields(BaseModel):
    """The fields of a row that are used, each with a value of exactly its type.

    A field's description says what to write where it is missing.
    """

    model_config = ConfigDict(frozen=True, strict=True, defer_build=True)


def refusal(message: str) -> PydanticCustomError:
    """What a validator raises for a value that cannot be used."""
    return PydanticCustomError("refused", "{message}", {"message": message})


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = "holds half of a surrogate pair (\\ud800 to \\udfff) by itself"
        raise refusal(message) from error
    return text


def _filled(text: str) -> str:
    if not text:
        raise refusal("is empty")
    return text


_Unicode = Annotated[str, AfterValidator(_encodable)]

Text = Annotated[_Unicode, BeforeValidator(lambda value: "" if value is None else value)]
"""Text that may be null, which is the same as empty."""

RequiredText = Annotated[_Unicode, AfterValidator(_filled)]

from_number = BeforeValidator(lambda value: str(value) if isinstance(value, int | float) else value)
"""Takes a number for its text."""


def matching(pattern: str, rule: str) -> AfterValidator:
    """Refuses other texts, and those with `..`; the rule says what a value looks like."""

    def check(text: str) -> str:
        if ".." in text or not re.fullmatch(pattern, text, re.ASCII):
            raise refusal(f"{short(text)} cannot be used: {rule}")
        return text

    return AfterValidator(check)


def short(text: str) -> str:
    """A text in quotes for messages, cut after 60 characters."""
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


Model = TypeVar("Model", bound=RowFields)


def read_row(row: DataRow, model: type[Model], problems: Problems) -> Model | None:
    """The fields of a row; None, with all that is wrong with it noted, where there is a problem."""
    if not isinstance(row.value, dict):
        problems.add(row.where, f"expected an object with fields, found {kind_of(row.value)}")
        return None
    values = dict(row.value)
    if row.key is not None and values.setdefault("instance_id", row.key) != row.key:
        message = f"is {values['instance_id']!r} but the row stands under the key {row.key!r}"
        problems.add(row.where, message, field="instance_id")
        return None
    try:
        return model.model_validate(values)
    except ValidationError as error:
        for one in error.errors(include_url=False):
            field = field_path(one["loc"])
            problems.add(row.where, _message(one, model), field=field)
        return None


def kind_of(value: object) -> str:
    """What kind of JSON value this is, in words."""
    return _NAMES.get(type(value), type(value).__name__)


def _message(error: ErrorDetails, model: type[RowFields]) -> str:
    match error["type"]:
        case "missing":
            field = model.model_fields.get(str(error["loc"][0]))
            return (
                f"is missing; {field.description}" if field and field.description else "is missing"
            )
        case "bool_type":
            return "expected true, false or null"
        case "string_type":
            found = kind_of(error["input"])
            return "is null" if found == "null" else f"expected text, found {found}"
    return error["msg"].removeprefix("Input ")
