"""The repository's own say: `.github/fixgate.yml`, table `environment`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from evaluator.environment.fields import FieldError
from evaluator.errors import InputError
from evaluator.languages import Language, languages

FILES = (".github/fixgate.yml", ".github/fixgate.yaml")
TABLE = "environment"

ReadFields = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Checks the fields of a table as a language has them; raises FieldError."""


def read_configuration(tree: Path, read_fields: ReadFields) -> Mapping[str, Any]:
    """Fields of a recipe that a repository sets for itself; empty where it has no such file.

    Other tables of the file are for other parts of fixgate and are not looked at.
    Raises InputError naming the file, the line, the key and what to write.
    """
    for name in FILES:
        if (tree / name).is_file():
            return _read(tree / name, name, read_fields)
    return {}


def _read(path: Path, name: str, read_fields: ReadFields) -> Mapping[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        data = yaml.safe_load(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{name}: not valid YAML: {error}") from error
    try:
        return read_fields(_table(data))
    except FieldError as error:
        line = line_of(node, [TABLE, *_steps(error.key)])
        raise InputError(f"{name}, line {line}, {TABLE}.{error.key}: {error}") from error


def _table(data: object) -> Mapping[str, Any]:
    if not isinstance(data, dict | None):
        raise FieldError("", "the file is not a mapping", f"write `{TABLE}:` and keys below it")
    table = (data or {}).get(TABLE, {})
    if not isinstance(table, dict):
        raise FieldError(
            "", f"`{TABLE}` is not a mapping", "write keys below it, such as `framework`"
        )
    return table


def _steps(key: str) -> list[str]:
    """The steps of a dotted path: `services[0].name` is `services`, `0`, `name`."""
    return re.findall(r"[^.\[\]]+", key)


def environment_problem(data: Mapping[str, Any]) -> tuple[str, str] | None:
    """What is wrong with the table in the file's data: its key and the remedy; None if nothing."""
    try:
        table = _table(data)
        _language_of(table).environments.read_fields(table)
    except FieldError as error:
        return ".".join([TABLE, *_steps(error.key)]), str(error)
    return None


def _language_of(table: Mapping[str, Any]) -> Language:
    """The language that a key of the table names, such as `python`; else the default one."""
    known = languages()
    return next((each for each in known if each.name in table), known[0])


def line_of(node: yaml.Node | None, steps: Sequence[str]) -> int:
    """The line, from 1, on which the deepest step that exists is written."""
    line = 1
    for step in steps:
        match node:
            case yaml.MappingNode():
                pairs = [(key, value) for key, value in node.value if str(key.value) == step]
                if not pairs:
                    return line
                line, node = pairs[0][0].start_mark.line + 1, pairs[0][1]
            case yaml.SequenceNode() if step.isdecimal() and int(step) < len(node.value):
                node = node.value[int(step)]
                line = node.start_mark.line + 1
    return line
