"""Edits of a source in place, by offsets."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class SourceEdits:
    """Edits of a source, which may stand inside of one another.

    Each is the offset at which it begins, its order among those that begin there, the offset behind
    what it replaces, and the new text.
    """

    source: bytes
    made: list[tuple[int, int, int, str]] = field(default_factory=list)

    def applied(self) -> bytes:
        """The source with all edits."""
        pieces, done = [], 0
        for start, _, end, text in sorted(self.made, key=lambda edit: edit[:2]):
            pieces += [self.source[done:start], text.encode()]
            done = end
        return b"".join([*pieces, self.source[done:]])
