"""Where a question differs from a recorded one, in words that help to find out why."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_AROUND = 60


@dataclass(frozen=True)
class Difference:
    """`alike` is how many messages agree from the start, `told` what comes after them."""

    alike: int
    told: str


def difference(recorded: Mapping[str, Any], asked: Mapping[str, Any]) -> Difference:
    """The first difference, looking at messages before parameters and tools."""
    pairs = itertools.zip_longest(recorded["messages"], asked["messages"])
    for number, (old, new) in enumerate(pairs):
        if old != new:
            return Difference(number, f"message {number + 1} {_messages(old, new)}")
    names = [name for name in ("parameters", "tools") if recorded[name] != asked[name]]
    told = "; ".join(f"{n} were {recorded[n]}, and are {asked[n]}" for n in names)
    return Difference(len(recorded["messages"]), told or "nothing differs")


def _messages(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> str:
    if old is None or new is None:
        extra = "was not there" if old is None else "is missing"
        return f"{extra} ({(old or new or {})['role']})"
    fields = [name for name in new if old.get(name) != new[name]]
    if fields == ["content"]:
        return f"({new['role']}) {_texts(old['content'], new['content'])}"
    return "; ".join(f"had {name} {old.get(name)!r}, and has {new[name]!r}" for name in fields)


def _texts(old: str, new: str) -> str:
    start = next(
        (n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b),
        min(len(old), len(new)),
    )
    cut = slice(max(start - _AROUND // 2, 0), start + _AROUND)
    return f"differs from character {start} on: it was {old[cut]!r}, and is {new[cut]!r}"
