"""Trees: what a commit holds at which path, read from verified tree objects; how two differ."""

from __future__ import annotations

import enum
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.checkout.git import git, reading
from evaluator.checkout.objects import Algorithm, Object, Objects, object_id
from evaluator.errors import CheckoutError

MOST_ENTRIES = 1_000_000
"""Most files and directories of a tree: a few small objects can name billions of them."""
_DIRECTORY = "40000"
_ROW = re.compile(rb"([0-7]{5,7}) ([^\0]+)\0")


class EntryKind(enum.Enum):
    """What an entry of a tree is, by the modes that git writes."""

    FILE = "100644"
    EXECUTABLE = "100755"
    LINK = "120000"
    SUBMODULE = "160000"


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One entry: what it is, and the id of its content (of the commit, for a submodule)."""

    kind: EntryKind
    object_id: str

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file, executable or not."""
        return self.kind in (EntryKind.FILE, EntryKind.EXECUTABLE)


def read_tree(objects: Objects, tree: str) -> Mapping[str, TreeEntry]:
    """The entries of a tree and of those below it, by path, in git's order.

    Bytes of a path that are not UTF-8 become surrogates, as in `os.fsdecode`. Raises CheckoutError
    for a tree that is absent or forged, and for one that no git would write: with a path that
    leaves the tree or enters `.git`, a path that is there twice, or without end.
    """
    entries: dict[str, TreeEntry] = {}
    pending = {"": tree}
    while pending:
        deeper: dict[str, str] = {}
        trees = objects.find_all(pending.values())
        for prefix, (wanted, found) in zip(pending, trees, strict=True):
            for name, mode, name_of_content in parse_tree(_present(prefix, wanted, found)):
                path = prefix + _checked(prefix, name)
                if path in entries or f"{path}/" in deeper:
                    raise CheckoutError(f"the tree holds {path!r} twice; the repository is corrupt")
                if stat.S_ISDIR(mode):
                    deeper[f"{path}/"] = name_of_content
                else:
                    entries[path] = TreeEntry(_kind(mode), name_of_content)
            if len(entries) + len(deeper) > MOST_ENTRIES:
                raise CheckoutError(f"the tree holds more than {MOST_ENTRIES} entries")
        pending = deeper
    return {path: entries[path] for path in sorted(entries, key=os.fsencode)}


def parse_tree(tree: Object) -> Iterator[tuple[str, int, str]]:
    """Name, mode and id of each entry of a tree object. Raises CheckoutError for what is none."""
    content, size = tree.content, len(tree.id) // 2
    at = 0
    while at < len(content):
        row = _ROW.match(content, at)
        at = row.end() + size if row else len(content) + 1
        if row is None or at > len(content):
            raise CheckoutError(f"object {tree.id} is no tree")
        yield os.fsdecode(row[2]), int(row[1], 8), content[row.end() : at].hex()


def tree_id(entries: Mapping[str, TreeEntry], algorithm: Algorithm) -> str:
    """The id of the tree that holds these entries, with the modes that git writes."""
    rows: dict[str, list[tuple[bytes, bytes]]] = {"": []}
    for path, entry in entries.items():
        folder, _, name = path.rpartition("/")
        _folder(rows, folder).append(_row(name, entry.kind.value, entry.object_id))
    for folder in sorted(rows, key=_depth, reverse=True):
        content = b"".join(row for _, row in sorted(rows[folder]))
        made = object_id("tree", content, algorithm)
        if folder:
            above, _, name = folder.rpartition("/")
            rows[above].append(_row(name, _DIRECTORY, made))
    return made


def _folder(rows: dict[str, list[tuple[bytes, bytes]]], folder: str) -> list[tuple[bytes, bytes]]:
    """The rows of a directory; those above it get theirs, too."""
    if folder not in rows:
        rows[folder] = []
        _folder(rows, folder.rpartition("/")[0])
    return rows[folder]


def _row(name: str, mode: str, object_id_: str) -> tuple[bytes, bytes]:
    """What a row of a tree object is sorted by, and the row."""
    raw = os.fsencode(name)
    sorted_by = raw + b"/" if mode == _DIRECTORY else raw
    return sorted_by, mode.encode() + b" " + raw + b"\0" + bytes.fromhex(object_id_)


def _depth(folder: str) -> int:
    return folder.count("/") + 1 if folder else 0


def _present(prefix: str, wanted: str, found: Object | None) -> Object:
    where = f"of {prefix.rstrip('/')!r} " if prefix else ""
    if found is None:
        raise CheckoutError(f"the repository lacks the tree {where}({wanted})")
    if found.kind != "tree":
        raise CheckoutError(f"the tree {where}({wanted}) is a {found.kind}")
    return found


def _kind(mode: int) -> EntryKind:
    # As git reads modes: old trees hold some such as 100664, and only the owner's bit counts.
    if stat.S_ISREG(mode):
        return EntryKind.EXECUTABLE if mode & 0o100 else EntryKind.FILE
    return EntryKind.LINK if stat.S_ISLNK(mode) else EntryKind.SUBMODULE


def _checked(prefix: str, name: str) -> str:
    if "/" in name or name.lower() in ("", ".", "..", ".git"):
        path = prefix + name
        raise CheckoutError(f"the tree holds the forbidden path {path!r}; it is not laid down")
    return name


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
