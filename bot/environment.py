"""Reads values from the environment: numbers, addresses, secrets; errors name the variable."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlsplit

from bot.errors import ConfigurationError
from generator.model.secret import Secret

PREFIX: Final = "FIXGATE_"
SHORTEST_SECRET: Final = 16

Value = TypeVar("Value", int, float)


def with_file(path: Path | None, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment with a file of NAME=VALUE lines below it: what is set already stays.

    Empty lines and those that begin with # are passed over; a value may stand in quotes. Raises
    ConfigurationError naming the line.
    """
    if path is None:
        return dict(environment)
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    numbered = enumerate((line.strip() for line in lines), start=1)
    return {
        **dict(_line(path, number, line) for number, line in numbered if line and line[0] != "#"),
        **environment,
    }


def _line(path: Path, number: int, line: str) -> tuple[str, str]:
    name, equals, value = line.removeprefix("export ").partition("=")
    name, value = name.strip(), value.strip()
    if not equals or not name.isidentifier():
        raise ConfigurationError(f"{path}, line {number}: should be NAME=VALUE")
    quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "'\""
    return name, value[1:-1] if quoted else value


def number(
    environment: Mapping[str, str],
    name: str,
    default: Value,
    kind: Callable[[str], Value],
    lowest: float = 1,
) -> Value:
    """A number from `lowest` on; the default where nothing is said. Raises ConfigurationError."""
    given = environment.get(PREFIX + name, "").strip()
    try:
        found = kind(given) if given else default
    except ValueError:
        found = kind("-1")
    if not lowest <= found < float("inf"):
        raise ConfigurationError(f"{PREFIX}{name} is {given!r}: write a number from {lowest}")
    return found


def url(environment: Mapping[str, str], name: str, default: str) -> str:
    """An address of the web, without a slash at its end. Raises ConfigurationError."""
    found = (environment.get(PREFIX + name) or default).strip().rstrip("/")
    place = urlsplit(found)
    if place.scheme not in ("http", "https") or not place.hostname:
        raise ConfigurationError(
            f"{PREFIX}{name} is {found!r}: write an address that begins with https:// or http://"
        )
    return found


def text(environment: Mapping[str, str], name: str) -> tuple[str, str] | None:
    """A secret's text and where it came from; None where none is given."""
    if environment.get(PREFIX + name):
        return environment[PREFIX + name], PREFIX + name
    path = environment.get(f"{PREFIX}{name}_FILE", "").strip()
    if not path:
        return None
    try:
        return Path(path).read_text("utf-8"), path
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{PREFIX}{name}_FILE names {path}, which cannot be read: {error}"
        ) from error


def secret(environment: Mapping[str, str], name: str) -> Secret | None:
    """A secret, given as it is or by a file; None without. Raises ConfigurationError."""
    found = text(environment, name)
    return None if found is None else Secret(*found)


def needed(environment: Mapping[str, str], name: str, advice: str) -> Secret:
    """A secret that has to be there, and long enough. Raises ConfigurationError with advice."""
    found = secret(environment, name)
    if found is None or len(found.reveal()) < SHORTEST_SECRET:
        raise ConfigurationError(
            f"{PREFIX}{name} must hold at least {SHORTEST_SECRET} characters: {advice}"
        )
    return found
