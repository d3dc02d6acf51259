"""Writes changes as a unified diff, in git's form."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from evaluator.diff.text import decode, to_lines
from evaluator.diff.types import Changes, Source

CONTEXT = 3
"""Lines of context around a hunk, as git has it."""


def unified_diff(changes: Changes, source: Source) -> str:
    """The unified diff that makes the changes; "" where they change nothing.

    Bytes that are not UTF-8 come out as lone surrogates, as `apply` reads them.
    See https://git-scm.com/docs/diff-format for the form of its header lines.
    """
    return "".join(
        _file(path, source(path), changes.contents[path], path in changes.executable)
        for path in sorted(changes.contents)
    )


def _file(path: str, old: bytes | None, new: bytes | None, executable: bool) -> str:
    if old == new:
        return ""
    mode = "100755" if executable else "100644"
    lines = [f"diff --git a/{path} b/{path}\n"]
    lines += [f"new file mode {mode}\n"] if old is None else []
    lines += [f"deleted file mode {mode}\n"] if new is None else []
    before = "/dev/null" if old is None else f"a/{path}"
    after = "/dev/null" if new is None else f"b/{path}"
    return "".join([*lines, *_hunks(_lines(old), _lines(new), before, after)])


def _lines(content: bytes | None) -> list[str]:
    return to_lines(decode(content or b""))


def _hunks(old: list[str], new: list[str], before: str, after: str) -> Iterator[str]:
    for line in difflib.unified_diff(old, new, before, after, n=CONTEXT):
        ends = line.endswith("\n")
        yield line if ends else f"{line}\n\\ No newline at end of file\n"
