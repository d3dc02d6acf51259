"""Fields of a recipe in plain data (TOML or YAML): models that refuse whatever is none.

Each language has a model of its own, made of the types here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from evaluator.environment.types import Service
from evaluator.field_paths import field_path


class FieldError(ValueError):
    """One key of a recipe is wrong: `key` is its dotted path, `remedy` says what to write."""

    def __init__(self, key: str, message: str, remedy: str) -> None:
        super().__init__(f"{message}; {remedy}")
        self.key = key


class RecipeFields(BaseModel):
    """Keys with values of exactly their types; any other key is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


Model = TypeVar("Model", bound=RecipeFields)


def read_fields(data: Mapping[str, Any], model: type[Model]) -> Model:
    """The fields that `data` gives. Raises FieldError, first for an unknown key."""
    try:
        return model.model_validate({str(key): value for key, value in data.items()})
    except ValidationError as error:
        keys = [str(key) for key in data]
        errors = error.errors(include_url=False)
        raise _field_error(min(errors, key=lambda one: _rank(one, keys)), model) from None


def given_fields(data: Mapping[str, Any], model: type[RecipeFields]) -> dict[str, Any]:
    """The checked value of each key of `data`, and of no other. Raises FieldError."""
    found = read_fields(data, model)
    return {name: getattr(found, name) for name in data}


def refusal(message: str, remedy: str) -> PydanticCustomError:
    """What a validator raises for a value of the right type: what is wrong, and what to write."""
    return PydanticCustomError("refused", "{message}", {"message": message, "remedy": remedy})


def kind_of(value: object) -> str:
    """What a value is, in words."""
    names = {dict: "a mapping", list: "a list", str: "a string", type(None): "empty"}
    return names.get(type(value), f"a {type(value).__name__}")


def listed(items: str) -> Callable[[object], object]:
    """A validator that makes a tuple, as strict models want it, of a list."""

    def read(value: object) -> object:
        if not isinstance(value, list):
            raise PydanticCustomError("kind", "{remedy}", {"remedy": f"write a list of {items}"})
        return tuple(value)

    return read


def _texts(value: object) -> object:
    return (value,) if isinstance(value, str) else listed("strings")(value)


def _inside(paths: tuple[str, ...]) -> tuple[str, ...]:
    for path in paths:
        if path.startswith("/") or ".." in path.split("/"):
            message = f"`{path}` leads out of the repository"
            raise refusal(message, "write a path relative to the repository")
    return paths


Texts = Annotated[tuple[str, ...], BeforeValidator(_texts, json_schema_input_type=str | list[str])]
"""A list of strings; a single string is taken for a list of one."""

Paths = Annotated[Texts, AfterValidator(_inside)]
"""A list of paths that stay inside the repository."""

Variables = dict[str, str]


def known_framework(names: Iterable[str]) -> AfterValidator:
    """Refuses the name of any other test framework."""
    known = tuple(names)

    def check(name: str) -> str:
        if name not in known:
            message = f"`{name}` is not a known test framework"
            raise refusal(message, f"use one of {', '.join(known)}")
        return name

    return AfterValidator(check)


class _Service(RecipeFields):
    name: str
    command: Texts
    variables: Variables = Field(default={})
    port: Annotated[int, Field(ge=0, le=65535)] = 0


def _given(value: object) -> object:
    """An empty name or command is a missing one."""
    if not isinstance(value, dict):
        return value
    return {key: item for key, item in value.items() if item or key not in ("name", "command")}


def _services(found: tuple[_Service, ...]) -> tuple[Service, ...]:
    return tuple(Service(each.name, each.command, each.variables, each.port) for each in found)


Services = Annotated[
    tuple[Annotated[_Service, BeforeValidator(_given)], ...],
    BeforeValidator(listed("services"), json_schema_input_type=list[_Service]),
    AfterValidator(_services),
]
"""A list of services, each with a name and a command; `Service` once they are read."""

_UNKNOWN = ("extra_forbidden", "invalid_key")
_REMEDIES: Mapping[str, str] = {
    "date_type": "write a date such as 2023-07-01",
    "dict_type": "write names and their values",
    "greater_than_equal": "write a port from 0 to 65535",
    "int_type": "write a number",
    "less_than_equal": "write a port from 0 to 65535",
    "model_type": "write name, command and variables",
    "string_type": "write a string",
}


def _rank(error: ErrorDetails, keys: Sequence[str]) -> tuple[bool, int, int, bool]:
    """Unknown keys come first, on each level, then others in the order of the data."""
    first, *inner = error["loc"]
    unknown = error["type"] in _UNKNOWN
    place = keys.index(str(first)) if first in keys else len(keys)
    item = inner[0] if inner and isinstance(inner[0], int) else 0
    return not unknown or bool(inner), place, item, not unknown


def _field_error(error: ErrorDetails, model: type[RecipeFields]) -> FieldError:
    steps = error["loc"][:-2] if error["loc"][-1] == "[key]" else error["loc"]
    key = field_path(steps)
    context = error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden" | "invalid_key":
            known = model if len(steps) == 1 else _Service
            message = f"unknown key `{steps[-1]}`"
            return FieldError(key, message, f"known keys are {', '.join(known.model_fields)}")
        case "missing":
            return FieldError(key, f"`{steps[-1]}` is missing", "write it")
        case "refused":
            return FieldError(key, context["message"], context["remedy"])
    remedy = context.get("remedy") or _REMEDIES[error["type"]]
    return FieldError(key, f"`{key}` is {kind_of(error['input'])}", remedy)
