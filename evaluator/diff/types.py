"""What the diff room takes and gives: sources, changes, and how each part of a patch fared."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Source = Callable[[str], bytes | None]
"""Path in a tree -> content of the file there, None where no file is.

A source may raise PatchError for a path that must not be touched (one that goes through a
symbolic link, say); the error is reported for whatever wanted the path.
"""

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
