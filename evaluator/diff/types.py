"""What the diff room takes and gives: sources, changes, and how each part of a patch fared."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from evaluator.diff.text import readable
from evaluator.model import Source

Keep = Callable[[str], bool]
"""Whether a path of a patch is wanted."""

Format = Literal["unified", "blocks", "none"]


@dataclass(frozen=True)
class Changes:
    """What a patch does to a tree.

    `contents` maps a path to its new content, or to None where the file goes. `executable` are
    the files that get mode 100755 and `plain` those that lose it; other files keep their mode, and
    new ones get 100644. A file that is touched but keeps its content is listed too.
    """

    contents: Mapping[str, bytes | None] = field(default_factory=dict)
    executable: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()

    def overlaid(self, source: Source) -> Source:
        """The source as it reads after the changes."""

        def read(path: str) -> bytes | None:
            return self.contents[path] if path in self.contents else source(path)

        return read

    def merged(self, other: Changes) -> Changes:
        """These changes and then the other ones."""
        gone = {path for path, content in other.contents.items() if content is None}
        return Changes(
            {**self.contents, **other.contents},
            (self.executable - other.plain - gone) | other.executable,
            (self.plain - other.executable - gone) | other.plain,
        )

    @property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of all that the changes say; the order does not matter."""
        total = hashlib.sha256()
        for path in sorted(self.contents):
            mode = (path in self.executable) - (path in self.plain)
            content = self.contents[path]
            size = -1 if content is None else len(content)
            name = path.encode("utf-8", "surrogatepass")
            total.update(b"%d %d %d\0%b\0" % (len(name), mode, size, name))
            total.update(content or b"")
        return total.hexdigest()


@dataclass(frozen=True)
class PatchPart:
    """What became of one hunk, block or file of a patch.

    `what` names it for a person; `reason` says why it was not applied, and is empty where it was;
    `relaxations` say what had to be forgiven.
    """

    path: str
    what: str
    applied: bool
    reason: str = ""
    relaxations: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChangedLines:
    """The lines that a diff changes: path -> line number from 1 -> text without its ending.

    `removed` is numbered as in the source before (R), `added` as in the result (R∘X). Texts are for
    people to read: bytes that are not UTF-8 are replaced.
    """

    removed: Mapping[str, Mapping[int, str]]
    added: Mapping[str, Mapping[int, str]]


@dataclass(frozen=True)
class Application:
    """A patch put onto a source. `well_formed` is the W of SWT-Bench (section 5.1); see `apply`.

    `lines` are those of the parts of a unified diff that were applied, by their true numbers: they
    are counted in the files as they are and as they become, whatever the headers of hunks say.
    """

    well_formed: bool
    changes: Changes
    lines: ChangedLines
    parts: tuple[PatchPart, ...]
    left_out: tuple[str, ...]
    relaxations: tuple[str, ...]
    format: Format


@dataclass(frozen=True)
class Split:
    """A unified diff in two: the parts that touch tests, and those that touch anything else.

    Both are unified diffs, "" where nothing falls to that side. The file tuples name every path
    that a part touches, both names of a renamed file included.
    """

    tests: str
    code: str
    test_files: tuple[str, ...]
    code_files: tuple[str, ...]


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
