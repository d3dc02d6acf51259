"""The repository's own say: `.github/fixgate.yml`, table `environment`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from evaluator.environment.fields import FieldError
from evaluator.errors import InputError
from evaluator.languages import Language, language, languages

FILES = (".github/fixgate.yml", ".github/fixgate.yaml")
TABLE = "environment"


def read_configuration(tree: Path, name: str) -> Mapping[str, Any]:
    """Fields of a recipe that a repository sets for itself, in the language of this name.

    Empty where it has no such file, or where the file is about other languages of the repository.

    Other tables of the file are for other parts of fixgate and are not looked at.
    Raises InputError naming the file, the line, the key and what to write.
    """
    for file in FILES:
        if (tree / file).is_file():
            return _read(tree / file, file, language(name))
    return {}


def _read(path: Path, name: str, language: Language) -> Mapping[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        data = yaml.safe_load(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{name}: not valid YAML: {error}") from error
    try:
        return language.environments.read_fields(_part_of(_table(data), language))
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
        for known in _languages_of(table):
            known.environments.read_fields(_part_of(table, known))
    except FieldError as error:
        return ".".join([TABLE, *_steps(error.key)]), str(error)
    return None


def _languages_of(table: Mapping[str, Any]) -> Sequence[Language]:
    """The languages that keys of a table name, such as `python`, else those that read most keys."""
    known = languages()
    readable = [sum(_reads(each, {key: table[key]}) for key in table) for each in known]
    most = [each for each, count in zip(known, readable, strict=True) if count == max(readable)]
    return [each for each in known if each.name in table] or most


def _part_of(table: Mapping[str, Any], language: Language) -> Mapping[str, Any]:
    """What a table says of one of the languages of a repository; nothing if it is for others.

    A key that the language cannot read, and another of the table's languages can, is the other's.
    """
    all_of_table = _languages_of(table)
    if language not in all_of_table:
        return {}
    others = [each for each in all_of_table if each is not language]
    return {
        key: value
        for key, value in table.items()
        if _reads(language, {key: value}) or not any(_reads(o, {key: value}) for o in others)
    }


def _reads(language: Language, table: Mapping[str, Any]) -> bool:
    try:
        language.environments.read_fields(table)
    except FieldError:
        return False
    return True


Found = Mapping[str, str | Sequence[str]]
"""Keys of the table, and what was found for them."""


def additions_text(found: Found) -> str:
    """The lines of the file that say what was found beside what its repository describes."""
    return "".join([f"{TABLE}:\n", *(f"  {line}\n" for line in _lines(found))])


def _lines(found: Found) -> Iterator[str]:
    for key, value in found.items():
        yield f"{key}: {value if isinstance(value, str) else json.dumps(list(value))}"


def with_additions(text: str, name: str, found: Found) -> str:
    """The text of the file with what was found; nothing else of it changes.

    Raises InputError where it has a table `environment` already, whose layout is its writer's.
    """
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InputError(f"{name}: not valid YAML: {error}") from error
    if isinstance(data, dict) and TABLE in data:
        lines = "` and `".join(_lines(found))
        raise InputError(f"{name} has a table `{TABLE}`: write `{lines}` in it")
    return f"{text.rstrip()}\n{additions_text(found)}".lstrip()


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
