"""Gathers what the parts of a patch do to a tree, and how each part fared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluator.diff.text import readable
from evaluator.diff.types import (
    Application,
    ChangedLines,
    Changes,
    Format,
    Keep,
    PatchPart,
    Source,
)


@dataclass
class PatchProgress:
    """The state of a patch that is being applied to `source`, part by part.

    What the source says is kept, so that a patch that names a file a thousand times reads it once.
    `failed` says that a part could not be applied that W depends on.
    """

    source: Source
    keep: Keep | None = None
    contents: dict[str, bytes | None] = field(default_factory=dict)
    executable: set[str] = field(default_factory=set)
    plain: set[str] = field(default_factory=set)
    parts: list[PatchPart] = field(default_factory=list)
    left_out: dict[str, None] = field(default_factory=dict)
    removed: dict[str, dict[int, str]] = field(default_factory=dict)
    added: dict[str, dict[int, str]] = field(default_factory=dict)
    failed: bool = False
    _known: dict[str, bytes | None] = field(default_factory=dict)

    def read(self, path: str) -> bytes | None:
        """The content of a file after the parts that were applied so far."""
        return self.contents[path] if path in self.contents else self.original(path)

    def original(self, path: str) -> bytes | None:
        """The content of a file before the patch."""
        if path not in self._known:
            self._known[path] = self.source(path)
        return self._known[path]

    def leaves_out(self, *paths: str) -> bool:
        """Whether a part is not wanted because of a path; the first of them is noted then."""
        if self.keep is None or all(self.keep(path) for path in paths):
            return False
        self.left_out[paths[0]] = None
        return True

    def set_mode(self, path: str, mode: str) -> None:
        """Note the mode that a file gets."""
        gains = mode.endswith("755")
        (self.executable if gains else self.plain).add(path)
        (self.plain if gains else self.executable).discard(path)

    def applied(self, path: str, what: str, relaxations: tuple[str, ...] = ()) -> None:
        """Note a part that was applied."""
        self.parts.append(PatchPart(path, what, True, "", relaxations))

    def refused(self, path: str, what: str, reason: str, *, fatal: bool = True) -> None:
        """Note a part that was not applied; `fatal` where W suffers from it."""
        self.parts.append(PatchPart(path, what, False, reason))
        self.failed = self.failed or fatal

    def application(self, form: Format) -> Application:
        """All of it as a value. W wants something applied and nothing failed."""
        if not self.parts:
            self.refused("", "patch", self._nothing(form), fatal=True)
        fine = not self.failed and any(part.applied for part in self.parts)
        said = {f"{part.path}: {note}": None for part in self.parts for note in part.relaxations}
        changes = Changes(self.contents, frozenset(self.executable), frozenset(self.plain))
        lines = ChangedLines(_told(self.removed), _told(self.added))
        return Application(
            fine, changes, lines, tuple(self.parts), tuple(self.left_out), tuple(said), form
        )

    def _nothing(self, form: Format) -> str:
        if self.left_out:
            return f"nothing is left to apply without {', '.join(self.left_out)}"
        if form == "none":
            return "no diff is in it: neither a unified diff nor a block"
        return "the diff changes no file"


def _told(lines: Mapping[str, dict[int, str]]) -> Mapping[str, Mapping[int, str]]:
    return {
        path: {number: readable(text) for number, text in numbered.items()}
        for path, numbered in lines.items()
        if numbered
    }
