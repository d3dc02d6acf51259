"""What changed between two commits, as GitHub lists it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.demo.simulator.git import Tree

_STATUS = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied"}
_HEADER = re.compile(rb"^diff --git ", re.MULTILINE)


@dataclass(frozen=True)
class FileDiff:
    """One changed file; `patch` holds the hunks, and is None for binary files and pure renames."""

    path: str
    status: str
    sha: str
    additions: int
    deletions: int
    patch: str | None


def compare(tree: Tree, base: str, head: str) -> list[FileDiff]:
    """The files that differ between two commits (or trees). Raises GitError."""
    output = tree.run("diff-tree", "-r", "-M", "--raw", "-z", "--no-abbrev", base, head).decode()
    counts = tree.run("diff-tree", "-r", "-M", "--numstat", base, head).decode().splitlines()
    parts = iter(_HEADER.split(patch(tree, base, head))[1:])
    rows = _rows(output.split("\0")[:-1])
    # A file that becomes a link, say, is shown as one that goes and one that comes.
    patches = [next(parts) + (next(parts) if status == "T" else b"") for _, status, _ in rows]
    return [_file(*row) for row in zip(rows, counts, patches, strict=True)]


def patch(tree: Tree, base: str, head: str) -> bytes:
    """The unified diff between two commits (or trees). Raises GitError."""
    return tree.run("diff-tree", "-r", "-M", "-p", "--full-index", base, head)


def _rows(fields: list[str]) -> list[tuple[str, str, list[str]]]:
    rows: list[tuple[str, str, list[str]]] = []
    rest = iter(fields)
    for head in rest:
        sha, status = head.split(" ")[3:5]
        names = [next(rest) for _ in range(2 if status[0] in "RC" else 1)]
        rows.append((sha, status[0], names))
    return rows


def _file(row: tuple[str, str, list[str]], counts: str, patch: bytes) -> FileDiff:
    sha, status, names = row
    added, removed = counts.split("\t")[:2]
    start = patch.find(b"\n@@ ")
    return FileDiff(
        path=names[-1],
        status=_STATUS.get(status, "changed"),
        sha=sha,
        additions=0 if added == "-" else int(added),
        deletions=0 if removed == "-" else int(removed),
        patch=None if start < 0 else patch[start + 1 :].decode(errors="replace").rstrip("\n"),
    )
