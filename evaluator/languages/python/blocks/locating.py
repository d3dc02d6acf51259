"""Finds the definition that a block means: by name, then by place, then by a similar name."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.languages.python.blocks.code import Definition

_LONGEST_NAME = 200
_SIMILAR = 0.9
"""How similar a name must be to be taken for another one, 1 being equal."""
_SIMILAR_AND_NEAR = 0.7
"""The same where the line number points at the definition too."""
_NEAR_LINES = 3


@dataclass(frozen=True)
class WantedDefinition:
    """A definition that is looked for.

    `method` prefers those in a class (True) or out of one (False), where that is known; `line` is
    a hint.
    """

    name: str
    is_class: bool | None
    method: bool | None = None
    parent: str = ""
    line: int | None = None


class Finder:
    """Looks among the definitions of a file; one that was found is not found again."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._left = list(definitions)

    def exact(self, wanted: WantedDefinition) -> Definition | None:
        """The definition of that name; the line number chooses between several."""
        named = [d for d in self._of_kind(wanted) if d.name == wanted.name]
        return self._taken(min(named, key=lambda d: _rank(d, wanted), default=None))

    def similar(self, wanted: WantedDefinition) -> Definition | None:
        """The definition with the most similar name, None where no name is similar enough."""
        if len(wanted.name) > _LONGEST_NAME:
            return None
        scored = [(self._similarity(d, wanted), d) for d in self._of_kind(wanted)]
        close = [(score, d) for score, d in scored if score >= _least(d, wanted)]
        best = max(close, key=lambda pair: (pair[0], -pair[1].distance(wanted.line)), default=None)
        return self._taken(None if best is None else best[1])

    def at(self, line: int) -> Definition | None:
        """The innermost definition that a line lies in."""
        around = [d for d in self._left if d.first <= line <= d.last]
        return self._taken(max(around, key=lambda d: d.first, default=None))

    def _of_kind(self, wanted: WantedDefinition) -> Sequence[Definition]:
        return [d for d in self._left if wanted.is_class in (None, d.is_class)]

    def _similarity(self, definition: Definition, wanted: WantedDefinition) -> float:
        if len(definition.name) > _LONGEST_NAME:
            return 0.0
        return difflib.SequenceMatcher(None, definition.name, wanted.name).ratio()

    def _taken(self, definition: Definition | None) -> Definition | None:
        if definition is not None:
            self._left.remove(definition)
        return definition


def _rank(definition: Definition, wanted: WantedDefinition) -> tuple[bool, bool, bool, int, int]:
    return (
        bool(wanted.parent) and definition.parent != wanted.parent,
        bool(definition.parent) and not definition.in_class,
        wanted.method not in (None, definition.in_class),
        definition.distance(wanted.line),
        definition.first,
    )


def _least(definition: Definition, wanted: WantedDefinition) -> float:
    near = wanted.line is not None and definition.distance(wanted.line) <= _NEAR_LINES
    return _SIMILAR_AND_NEAR if near else _SIMILAR
