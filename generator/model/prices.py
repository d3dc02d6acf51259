"""What a model costs. An unknown price is never taken for nothing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from pydantic import ConfigDict

from evaluator import InputError
from evaluator.storage import UnreadableError, read_as
from generator.model.protocol import TokenUsage

_PER = 1_000_000
_RELEASE = re.compile(r"(?:[-@](?:latest|\d{4}|\d{8}|\d{4}-\d\d-\d\d))?")
"""What may follow a model's name without making it another model."""


@dataclass(frozen=True)
class Price:
    """USD per million tokens; `cached` and `written` are as `input` where they are None.

    Prompts of more than `up_to` tokens cost something else; 0 means that there is no such bound.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    input: float
    output: float
    cached: float | None = None
    written: float | None = None
    up_to: int = 0

    def of(self, usage: TokenUsage) -> float | None:
        """The USD that a reply cost; None for a prompt beyond `up_to`, whose price is unknown."""
        if self.up_to and usage.input_tokens > self.up_to:
            return None
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.written is None else self.written
        plain = usage.input_tokens - usage.cached_tokens - usage.written_tokens
        return (
            plain * self.input
            + usage.cached_tokens * cached
            + usage.written_tokens * written
            + usage.output_tokens * self.output
        ) / _PER


class Prices:
    """A table of prices by the names of models."""

    def __init__(self, table: Mapping[str, Price]) -> None:
        self._table = {_plain(name): price for name, price in table.items()}

    def of(self, model: str) -> Price | None:
        """The price of a model; None where it is unknown. The longest name that fits wins."""
        asked = _plain(model.rpartition("/")[2])
        fitting = [name for name in self._table if _stands_for(name, asked)]
        return self._table[max(fitting, key=len)] if fitting else None


def known_prices(additional: Path | None = None) -> Prices:
    """The prices that come with fixgate, and over them those of a file of the same form.

    Raises InputError naming the field that cannot be read.
    """
    text = resources.files("generator.model").joinpath("prices.toml").read_text("utf-8")
    table = _table("prices.toml", text)
    if additional is not None:
        table |= _table(str(additional), _read(additional))
    return Prices(table)


def _plain(name: str) -> str:
    return name.lower().replace(".", "-")


def _stands_for(name: str, asked: str) -> bool:
    return asked.startswith(name) and _RELEASE.fullmatch(asked[len(name) :]) is not None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error


def _table(place: str, text: str) -> dict[str, Price]:
    try:
        vendors = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{place}: is no TOML: {error}") from error
    return {
        name: _price(f"{place}, {vendor}.{name!r}", price)
        for vendor, models in vendors.items()
        for name, price in _mapping(f"{place}, {vendor}", models).items()
    }


def _mapping(place: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise InputError(f'{place}: a table [VENDOR] of lines like "NAME" = {{ input = 1, ... }}')
    return value


def _price(place: str, value: object) -> Price:
    try:
        price = read_as(Price, _mapping(place, value))
    except UnreadableError as error:
        raise InputError(f"{place}: {error}") from error
    if min(price.input, price.output, price.cached or 0, price.written or 0, price.up_to) < 0:
        raise InputError(f"{place}: a price below zero")
    return price
