"""Where in a file something stands, found without walking through nested parts again and again."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterable

from tree_sitter import Node

_MOST_VALUES = 500
_NEXT = 20
"""A value stands in this many parts of a file at once, each in the one before."""


class Places:
    """The outermost of some nodes, in the order of the source."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.outermost: list[Node] = []
        for node in sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte)):
            if not self.outermost or node.start_byte >= self.outermost[-1].end_byte:
                self.outermost.append(node)
        self._starts = [node.start_byte for node in self.outermost]

    def place(self, node: Node) -> int:
        """Which of them a node lies in; -1 for none."""
        place = bisect.bisect(self._starts, node.start_byte) - 1
        return place if place >= 0 and node.end_byte <= self.outermost[place].end_byte else -1


class Occurrences:
    """Where some values stand in a file; at most so many different ones, as files have any size."""

    def __init__(self, placed: Iterable[tuple[Node, str]]) -> None:
        places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for node, value in placed:
            if value in places or len(places) < _MOST_VALUES:
                places[value].append((node.start_byte, node.end_byte))
        self._places = {value: sorted(each) for value, each in places.items()}

    def within(self, first: Node, last: Node | None = None) -> frozenset[str]:
        """Those that stand in a node, or from one node to another."""
        start, end = first.start_byte, (last or first).end_byte
        return frozenset(
            value
            for value, places in self._places.items()
            if any(stop <= end for _, stop in _from(places, start))
        )


def _from(places: list[tuple[int, int]], start: int) -> list[tuple[int, int]]:
    first = bisect.bisect(places, (start, -1))
    return places[first : first + _NEXT]
