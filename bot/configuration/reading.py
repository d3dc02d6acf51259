"""Reads `.github/fixgate.yml` and reports everything that is wrong with it, by line."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import yaml
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from bot.configuration.types import Configuration, Gate, Verify
from evaluator.environment.configuration import FILES as FILES
from evaluator.environment.configuration import environment_problem, line_of
from evaluator.schemas import DRAFT

LONGEST = 100_000
"""Characters of a configuration; nobody writes that many."""
LONGEST_SHOWN: Final = 60
"""Characters of a wrong value."""
UNKNOWN: Final = ("extra_forbidden", "invalid_key")


@dataclass(frozen=True)
class Mistake:
    """Something wrong in the file: its line from 1, the key ("" for the whole), and what to do."""

    line: int
    key: str
    message: str


def read_configuration(text: str) -> tuple[Configuration, tuple[Mistake, ...]]:
    """What the text sets, and its mistakes; with any mistake, the defaults hold for everything.

    Except for a required gate: a slip of the pen elsewhere must not open it. An empty text sets
    nothing. Never raises for what the text says.
    """
    if len(text) > LONGEST:
        return Configuration(), (Mistake(1, "", f"holds more than {LONGEST} characters"),)
    try:
        data = yaml.safe_load(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return Configuration(), (Mistake(_line_of_error(error), "", f"is no valid YAML: {error}"),)
    return _checked({} if data is None else data, node)


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that is published for the file."""
    return {"$schema": DRAFT, **Configuration.model_json_schema(), "title": FILES[0]}


def _checked(data: object, node: yaml.Node | None) -> tuple[Configuration, tuple[Mistake, ...]]:
    found = _environment_mistakes(data, node)
    try:
        configuration = Configuration.model_validate(data)
    except ValidationError as error:
        found += [_mistake(one, node) for one in error.errors()]
        configuration = Configuration()
    if not found:
        return configuration, ()
    return _careful(data), tuple(sorted(found, key=lambda one: (one.line, one.key)))


def _environment_mistakes(data: object, node: yaml.Node | None) -> list[Mistake]:
    problem = environment_problem(data) if isinstance(data, dict) else None
    if problem is None:
        return []
    key, message = problem
    return [Mistake(line_of(node, key.split(".")), key, message)]


def _mistake(error: ErrorDetails, node: yaml.Node | None) -> Mistake:
    steps = [str(step) for step in error["loc"]]
    # What is wrong in a list is about the key that holds the list.
    keys = [step for step in error["loc"] if isinstance(step, str)]
    return Mistake(line_of(node, steps), ".".join(steps), _message(error, keys))


def _message(error: ErrorDetails, steps: Sequence[str]) -> str:
    if error["type"] in UNKNOWN:
        known = ", ".join(_fields(steps[:-1]))
        return f"unknown key `{steps[-1]}`; known keys are {known}"
    field = _fields(steps[:-1]).get(steps[-1]) if steps else None
    if error["type"] == "enum" and field is not None:
        return f"`{error['input']}` is not known here; write one of {_choices(field)}"
    problem = _problem(error)
    return (
        f"`{_shown(error['input'])}` {problem}; see the description in the schema: {_about(field)}"
    )


def _fields(steps: Sequence[str]) -> Mapping[str, FieldInfo]:
    """The fields of the table at a path; none where it is no table of ours."""
    model: Any = Configuration
    for step in steps:
        model = model.model_fields[step].annotation if step in model.model_fields else None
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            return {}
    fields: Mapping[str, FieldInfo] = model.model_fields
    return fields


def _problem(error: ErrorDetails) -> str:
    in_words = _PROBLEMS.get(error["type"])
    if in_words is None:
        return error["msg"].replace("Input should", "should")
    return in_words(error.get("ctx", {}))


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def _about(field: FieldInfo | None) -> str:
    if field is not None and field.description:
        return field.description
    return str((Configuration if field is None else field.annotation).__doc__)


def _choices(field: FieldInfo) -> str:
    kind = field.annotation
    assert isinstance(kind, enum.EnumType)  # of which the error speaks
    return ", ".join(str(one.value) for one in kind)


_PROBLEMS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "dict_type": lambda _: "is not an object of keys and values",
    "model_type": lambda _: "is not an object of keys and values",
    "value_error": lambda raised: str(raised["error"]),
    "greater_than_equal": lambda limit: f"is less than the minimum of {limit['ge']:g}",
    "less_than_equal": lambda limit: f"is greater than the maximum of {limit['le']:g}",
}
"""In words of YAML, what pydantic says in those of Python."""


def _careful(data: object) -> Configuration:
    """The defaults, with the gate closed where the text wants that."""
    match data:
        case {"verify": {"gate": Gate.REQUIRED}}:
            return Configuration(verify=Verify(gate=Gate.REQUIRED))
    return Configuration()


def _line_of_error(error: Exception) -> int:
    mark = getattr(error, "problem_mark", None)
    return 1 if mark is None else int(mark.line) + 1
