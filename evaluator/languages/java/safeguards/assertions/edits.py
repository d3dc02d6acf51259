"""Edits of a source in place, by offsets."""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node


@dataclass
class Edits:
    """Edits of a source, which may stand inside of one another."""

    source: bytes
    made: list[tuple[int, int, int, str]] = field(default_factory=list)

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

    def applied(self) -> bytes:
        """The source with all edits."""
        pieces, done = [], 0
        for start, _, end, text in sorted(self.made, key=lambda edit: edit[:2]):
            pieces += [self.source[done:start], text.encode()]
            done = end
        return b"".join([*pieces, self.source[done:]])
