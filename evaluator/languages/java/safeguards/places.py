"""Where in a file something stands, found without walking through nested parts again and again."""

from __future__ import annotations

import bisect
from collections.abc import Iterable

from tree_sitter import Node


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
