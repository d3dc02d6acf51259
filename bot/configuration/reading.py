"""Reads `.github/fixgate.yml` and tells everything that is wrong with it, by line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import cattrs
import jsonschema
import yaml

from bot.configuration.types import Configuration, Gate, Verify
from evaluator.environment.configuration import FILES as FILES
from evaluator.environment.configuration import environment_problem, line_of

LONGEST = 100_000
"""Characters of a configuration; nobody writes that many."""


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
    if data is None:
        return Configuration(), ()
    mistakes = tuple(_mistakes(data, node))
    return (_careful(data) if mistakes else _configuration(data)), mistakes


@cache
def schema() -> Mapping[str, Any]:
    """The JSON Schema (draft 2020-12) that is published for the file."""
    text = resources.files("bot.configuration").joinpath("fixgate.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def _mistakes(data: object, node: yaml.Node | None) -> list[Mistake]:
    found = [
        Mistake(line_of(node, steps), ".".join(steps), _told(error))
        for error in jsonschema.Draft202012Validator(schema()).iter_errors(data)
        for steps in [_steps(error)]
    ]
    problem = environment_problem(data) if isinstance(data, dict) else None
    if problem is not None:
        key, message = problem
        found.append(Mistake(line_of(node, key.split(".")), key, message))
    return sorted(found, key=lambda mistake: (mistake.line, mistake.key))


def _steps(error: jsonschema.ValidationError) -> list[str]:
    """The path to the mistake; for an unknown key, to the key itself."""
    steps = [str(step) for step in error.absolute_path]
    return [*steps, *_unknown(error)[:1]]


def _unknown(error: jsonschema.ValidationError) -> Sequence[str]:
    if error.validator != "additionalProperties" or not isinstance(error.instance, dict):
        return ()
    return [str(key) for key in error.instance if key not in _rules(error)["properties"]]


def _told(error: jsonschema.ValidationError) -> str:
    unknown = _unknown(error)
    if unknown:
        known = ", ".join(_rules(error)["properties"])
        return f"unknown key `{unknown[0]}`; known keys are {known}"
    if error.validator == "enum":
        known = ", ".join(map(str, _rules(error)["enum"]))
        return f"`{error.instance}` is not known here; write one of {known}"
    return f"{error.message}; see the description in the schema: {_description(error)}"


def _description(error: jsonschema.ValidationError) -> str:
    return str(_rules(error).get("description") or f"{error.validator}: {error.validator_value}")


def _rules(error: jsonschema.ValidationError) -> Mapping[str, Any]:
    """The part of the schema that was not kept."""
    return error.schema if isinstance(error.schema, Mapping) else {}


def _careful(data: object) -> Configuration:
    """The defaults, with the gate closed where the text wants that."""
    match data:
        case {"verify": {"gate": Gate.REQUIRED}}:
            return Configuration(verify=Verify(gate=Gate.REQUIRED))
    return Configuration()


def _configuration(data: Mapping[str, Any]) -> Configuration:
    return cattrs.structure(data, Configuration)


def _line_of_error(error: Exception) -> int:
    mark = getattr(error, "problem_mark", None)
    return 1 if mark is None else int(mark.line) + 1
