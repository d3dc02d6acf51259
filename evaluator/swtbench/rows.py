"""Rows of data files, and the problems that are found in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluator.errors import InputError

_SHOWN = 20
_NAMES: Mapping[type, str] = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


@dataclass(frozen=True)
class DataRow:
    """One row as it was read: `where` it stands, its `value`, and its `key` in a keyed file."""

    where: str
    value: object
    key: str | None = None


class Problems:
    """Gathers what is wrong with a file, so that all of it is reported at once."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._found: list[str] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(self, where: str, message: str, *, field: str = "") -> None:
        """Note a problem of a row, or of one of its fields."""
        place = f'{where}, field "{field}"' if field else where
        self._found.append(f"{place}: {message}")

    def check(self) -> None:
        """Raise InputError with the first 20 problems if there are any."""
        if not self._found:
            return
        shown = "\n".join(f"  {problem}" for problem in self._found[:_SHOWN])
        rest = len(self._found) - _SHOWN
        more = f"\n  and {rest} more" if rest > 0 else ""
        count = "1 problem" if len(self._found) == 1 else f"{len(self._found)} problems"
        raise InputError(f"{self._source}: {count} found; mend or remove the rows\n{shown}{more}")


class Fields:
    """The fields of one row; whatever is wrong with one goes to the problems."""

    def __init__(self, where: str, values: Mapping[str, object], problems: Problems) -> None:
        self.where = where
        self._values = values
        self._problems = problems

    def problem(self, field: str, message: str) -> None:
        """Note a problem of a field."""
        self._problems.add(self.where, message, field=field)

    def value(self, field: str) -> object:
        """The value as it was read; None where the field is missing, null or empty text."""
        value = self._values.get(field)
        return None if value == "" else value

    def text(self, field: str) -> str:
        """An optional text: empty where it is missing or null."""
        value = self.value(field)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.problem(field, f"expected text, found {kind_of(value)}")
            return ""
        if not _is_unicode(value):
            self.problem(field, "holds half of a surrogate pair (\\ud800 to \\udfff) by itself")
            return ""
        return value

    def required_text(self, field: str) -> str:
        """A text that must be there and not be empty."""
        text = self.text(field)
        if not text and self.value(field) is None:
            empty = self._values.get(field, None) == ""
            state = "is empty" if empty else "is null" if field in self._values else "is missing"
            self.problem(field, state)
        return text

    def has(self, field: str) -> bool:
        """Whether the row has this field, be it null."""
        return field in self._values


def fields_of(row: DataRow, problems: Problems) -> Fields | None:
    """The fields of a row; None, with the problem noted, where it is no object."""
    if not isinstance(row.value, dict):
        problems.add(row.where, f"expected an object with fields, found {kind_of(row.value)}")
        return None
    values = dict(row.value)
    if row.key is not None and values.setdefault("instance_id", row.key) != row.key:
        message = f"is {values['instance_id']!r} but the row stands under the key {row.key!r}"
        problems.add(row.where, message, field="instance_id")
        return None
    return Fields(row.where, values, problems)


def kind_of(value: object) -> str:
    """What kind of JSON value this is, in words."""
    return _NAMES.get(type(value), type(value).__name__)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
