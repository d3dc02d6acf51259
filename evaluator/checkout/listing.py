"""What `git ls-tree -r -z` tells about a tree."""

from __future__ import annotations

import enum
import os
from collections.abc import Mapping
from dataclasses import dataclass

from evaluator.errors import CheckoutError


class Kind(enum.Enum):
    """What an entry of a tree is, by the modes that git writes."""

    FILE = "100644"
    EXECUTABLE = "100755"
    LINK = "120000"
    SUBMODULE = "160000"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: what it is, and the id of its content (of the commit, for a submodule)."""

    kind: Kind
    object_id: str

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file, executable or not."""
        return self.kind in (Kind.FILE, Kind.EXECUTABLE)


def parse_listing(listed: bytes) -> Mapping[str, Entry]:
    """Entries by path. Bytes of a path that are not UTF-8 become surrogates, as in `os.fsdecode`.

    Raises CheckoutError for a tree that no git would write: a path that leaves the tree or
    enters `.git`, or a path that is there twice.
    """
    entries: dict[str, Entry] = {}
    for line in filter(None, listed.split(b"\0")):
        description, _, name = line.partition(b"\t")
        mode, _, object_id = description.decode().split(" ")
        path = _checked(os.fsdecode(name))
        if path in entries:
            raise CheckoutError(f"the tree holds {path!r} twice; the repository is corrupt")
        entries[path] = Entry(_kind(mode), object_id)
    return entries


def _kind(mode: str) -> Kind:
    # Old trees hold modes such as 100664; git itself only minds the executable bit.
    if mode.startswith("100"):
        return Kind.EXECUTABLE if int(mode, 8) & 0o100 else Kind.FILE
    return Kind(mode)


def _checked(path: str) -> str:
    parts = path.split("/")
    if any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
        raise CheckoutError(f"the tree holds the forbidden path {path!r}; it is not laid down")
    return path
