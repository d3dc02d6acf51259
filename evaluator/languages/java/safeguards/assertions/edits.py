"""Edits of Java source in place, by the nodes of its syntax tree."""

from __future__ import annotations

from tree_sitter import Node

from evaluator.languages.edits import SourceEdits


class Edits(SourceEdits):
    """Edits around nodes, and between offsets."""

    def around(self, node: Node, before: str, after: str) -> None:
        """Put text before and behind a node; a node inside of another one is edited after it."""
        self.made.append((node.start_byte, 1, node.start_byte, before))
        self.made.append((node.end_byte, -len(self.made), node.end_byte, after))

    def insert(self, offset: int, text: str) -> None:
        """Put text at an offset, before what else is put there."""
        self.made.append((offset, 0, offset, text))

    def remove(self, start: int, end: int) -> None:
        """Leave out what stands between two offsets."""
        self.made.append((start, 1, end, ""))
