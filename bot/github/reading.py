"""JSON from outside, read field by field; what is missing or of another type is told by path."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bot.errors import GitHubError

_FULL_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-_]*/(?!\.{1,2}\Z)[A-Za-z0-9._-]+")
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class PayloadError(GitHubError):
    """A webhook's payload, or an answer of GitHub, has not the form that it should have.

    `field` is the path to what is wrong ("issue.number").
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field or 'the payload'} {problem}")
        self.field = field


class Fields:
    """A JSON object at some path of a payload. All methods raise PayloadError."""

    def __init__(self, data: object, path: str = "") -> None:
        if not isinstance(data, Mapping):
            raise PayloadError(path, f"should be an object, not {_kind(data)}")
        self._data: Mapping[str, object] = data
        self._path = path

    def has(self, name: str) -> bool:
        """Whether there is such a field that is not null."""
        return self._data.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        """A string; where it is missing or null, the default, if one is given."""
        found = self._found(name, default)
        if not isinstance(found, str):
            raise self._wrong(name, "a string")
        return found

    def number(self, name: str, default: int | None = None) -> int:
        """A whole number that is not negative."""
        found = self._found(name, default)
        if isinstance(found, bool) or not isinstance(found, int) or found < 0:
            raise self._wrong(name, "a whole number from 0")
        return found

    def decimal(self, name: str) -> float:
        """A number."""
        found = self._found(name)
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise self._wrong(name, "a number")
        return float(found)

    def truth(self, name: str, *, default: bool | None = None) -> bool:
        """True or false."""
        found = self._found(name, default)
        if not isinstance(found, bool):
            raise self._wrong(name, "true or false")
        return found

    def inside(self, name: str) -> Fields:
        """The object in a field."""
        return Fields(self._found(name), self._at(name))

    def objects(self, name: str) -> tuple[Fields, ...]:
        """The objects in a list; none where the list is missing or null."""
        found = self._found(name, ())
        if not isinstance(found, list | tuple):
            raise self._wrong(name, "a list")
        return tuple(Fields(one, f"{self._at(name)}[{at}]") for at, one in enumerate(found))

    def texts(self, name: str) -> dict[str, str]:
        """The strings by name in an object."""
        inside = self.inside(name)
        return {key: inside.text(key) for key in inside._data}

    def list_of_any(self, name: str) -> list[object]:
        """The list in a field, whatever is in it; empty where there is none."""
        found = self._data.get(name)
        return list(found) if isinstance(found, list) else []

    def sha(self, name: str) -> str:
        """The id of a commit: 40 hexadecimal digits, or 64."""
        return self._matching(name, _SHA, "the id of a commit")

    def full_name(self, name: str) -> str:
        """A repository as `owner/name`."""
        return self._matching(name, _FULL_NAME, "owner/name")

    def _matching(self, name: str, pattern: re.Pattern[str], form: str) -> str:
        found = self.text(name)
        if not pattern.fullmatch(found):
            raise self._wrong(name, form)
        return found

    def _found(self, name: str, default: object = None) -> object:
        found = self._data.get(name)
        if found is None and default is None:
            raise PayloadError(self._at(name), "is missing")
        return default if found is None else found

    def _wrong(self, name: str, form: str) -> PayloadError:
        return PayloadError(self._at(name), f"should be {form}, not {_kind(self._data.get(name))}")

    def _at(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name


def _kind(data: object) -> str:
    """What something is, without showing all of it."""
    if isinstance(data, str):
        return f"the string {data[:40]!r}"
    if data is None or isinstance(data, bool | int | float):
        return str(data)
    return "a list" if isinstance(data, list) else "an object"
