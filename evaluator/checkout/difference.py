"""What differs between two trees: their entries, and the lines of their files."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.checkout.git import git, reading
from evaluator.checkout.listing import TreeEntry

_DIFF = (
    "diff",
    "--no-index",
    "--unified=0",
    "--find-renames",
    "--diff-algorithm=myers",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--src-prefix=",
    "--dst-prefix=",
)
_DIFFERENT = frozenset({0, 1})
_BEFORE, _AFTER = "before", "after"
_FILE = re.compile(rb"diff --git (?:before|after)/(\d+) (?:before|after)/(\d+)")
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True)
class Altered:
    """A path whose entry differs between two trees; None where a tree has nothing there."""

    path: str
    before: TreeEntry | None
    after: TreeEntry | None


@dataclass
class LineNumbers:
    """Which lines differ between a file before, at `old`, and after, at `new`; counted from 1."""

    old: str
    new: str
    removed: list[int]
    added: list[int]


def altered(before: Mapping[str, TreeEntry], after: Mapping[str, TreeEntry]) -> Iterator[Altered]:
    """The paths whose entries differ, in order. A renamed file is one that goes and one more."""
    for path in sorted({*before, *after}):
        if before.get(path) != after.get(path):
            yield Altered(path, before.get(path), after.get(path))


def differing_lines(
    before: Mapping[str, bytes], after: Mapping[str, bytes]
) -> Sequence[LineNumbers]:
    """The lines in which the files of two trees differ, given the contents of those that do.

    Git compares them, as it would for a person: a renamed file with what it was, and not what it
    takes for binary. It gets them as files with numbers for names, so that neither a repository
    nor a name has any say. Raises CheckoutError.
    """
    paths = sorted({*before, *after})
    with tempfile.TemporaryDirectory(prefix="fixgate-diff-") as name:
        directory = Path(name)
        for side, contents in ((_BEFORE, before), (_AFTER, after)):
            (directory / side).mkdir()
            for number, path in enumerate(paths):
                if path in contents:
                    (directory / side / str(number)).write_bytes(contents[path])
        environment = reading(directory)
        patch = git([*_DIFF, _BEFORE, _AFTER], environment, directory=directory, fine=_DIFFERENT)
    return _parsed(patch, paths)


def _parsed(patch: bytes, paths: Sequence[str]) -> Sequence[LineNumbers]:
    """Without context, every line of a content begins with a plus or a minus."""
    found: list[LineNumbers] = []
    for line in patch.split(b"\n"):
        if file := _FILE.match(line):
            found.append(LineNumbers(paths[int(file[1])], paths[int(file[2])], [], []))
        elif hunk := _HUNK.match(line):
            found[-1].removed += _numbers(hunk[1], hunk[2])
            found[-1].added += _numbers(hunk[3], hunk[4])
    return found


def _numbers(start: bytes, count: bytes | None) -> range:
    return range(int(start), int(start) + int(count or 1))
