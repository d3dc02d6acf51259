"""The simulator's own rules for what may be sent; they hold with and without the description.

Keys that an operation does not know are refused everywhere, also where GitHub would ignore them: a
client that sends them expects something that will not happen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.demo.simulator.errors import RefusedError, invalid_request
from bot.demo.simulator.records import Json

_ARTICLES = {str: "a string", int: "an integer", bool: "a boolean", list: "an array"}


@dataclass(frozen=True)
class Field:
    """One value of a body.

    `longest` counts characters, `most` the items of a list; `fields` are those of an object.
    """

    kind: type = str
    required: bool = False
    nullable: bool = False
    choices: tuple[str, ...] = ()
    longest: int | None = None
    most: int | None = None
    pattern: str = ""
    moment: bool = False
    items: Field | None = None
    fields: Mapping[str, Field] = field(default_factory=dict)


def text(*, required: bool = False, **more: Any) -> Field:
    """A string."""
    return Field(str, required=required, **more)


def listing(items: Field, *, required: bool = False, most: int | None = None) -> Field:
    """A list of alike values."""
    return Field(list, required=required, items=items, most=most)


def record(fields: Mapping[str, Field]) -> Field:
    """An object."""
    return Field(dict, fields=fields)


def moment() -> Field:
    """A time in ISO 8601, with its offset."""
    return Field(str, moment=True)


SHA = r"[0-9a-f]{40}"
WEB = r"https?://\S+"


def parse(data: bytes, fields: Mapping[str, Field], bare: str = "") -> Json:
    """The body of a request; a bare list is taken for the value of the key `bare`, if there is one.

    Raises RefusedError: 400 for no JSON object, 422 for a wrong one.
    """
    try:
        body = json.loads(data) if data.strip() else {}
    except ValueError:
        raise RefusedError(400, "Problems parsing JSON") from None
    if bare and isinstance(body, list):
        body = {bare: body}
    if not isinstance(body, dict):
        raise RefusedError(400, "Body should be a JSON object")
    _check_record(body, fields, "properties")
    return body


def _check_record(value: Json, fields: Mapping[str, Field], place: str) -> None:
    for key in value.keys() - fields.keys():
        raise invalid_request(f'"{key}" is not a permitted key.')
    for key, described in fields.items():
        if key in value:
            _check(value[key], described, f"{place}/{key}")
        elif described.required:
            raise invalid_request(f'"{key}" wasn\'t supplied.')


def _check(value: object, described: Field, place: str) -> None:
    if value is None and described.nullable:
        return
    if not isinstance(value, described.kind) or (described.kind is int and value is True):
        shown = json.dumps(value)[:80]
        kind = _ARTICLES.get(described.kind, "an object")
        raise invalid_request(f"For '{place}', {shown} is not {kind}.")
    if isinstance(value, dict):
        _check_record(value, described.fields, place)
    elif isinstance(value, list):
        _check_list(value, described, place)
    elif isinstance(value, str):
        _check_text(value, described, place)


def _check_list(value: list[object], described: Field, place: str) -> None:
    if described.most is not None and len(value) > described.most:
        message = f"No more than {described.most} items are allowed; {len(value)} were supplied."
        raise invalid_request(message)
    if described.items is not None:
        for index, item in enumerate(value):
            _check(item, described.items, f"{place}/{index}")


def _check_text(value: str, described: Field, place: str) -> None:
    if described.longest is not None and len(value) > described.longest:
        message = f"Only {described.longest} characters are allowed; {len(value)} were supplied."
        raise invalid_request(message)
    if described.choices and value not in described.choices:
        allowed = ", ".join(described.choices)
        raise invalid_request(f"For '{place}', {json.dumps(value)} is not one of {allowed}.")
    if described.pattern and not re.fullmatch(described.pattern, value):
        raise invalid_request(f"For '{place}', {json.dumps(value)[:80]} does not fit.")
    if described.moment and not _is_moment(value):
        raise invalid_request(f"For '{place}', {json.dumps(value)} is not a valid date-time.")


def _is_moment(value: str) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False
