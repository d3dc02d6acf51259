"""What in a Java file hides what it does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from evaluator.languages.java.sources.test_code import texts_in
from evaluator.languages.java.syntax import found, parsed

COMPILED = frozenset({".class", ".jmod", ".dex"})
OPAQUE = {
    ".ser": "serialised objects",
    **dict.fromkeys((".war", ".ear", ".aar", ".jimage"), "an archive"),
}
_ESCAPED = re.compile(rb"(?<!\\)(?:\\\\)*\\u+00(?:0[aAdD]|[2-7][0-9a-fA-F])")
"""A plain character by its number: the compiler replaces it before it reads anything."""
_ENDING = re.compile(rb"(?<!\\)(?:\\\\)*\\u+00(?:0[aAdD]|22|27|5[cC])")
"""One that ends a literal, or has the next character do so; any other is a part of its text."""
_ENCODED = re.compile(r"[A-Za-z0-9+/=_-]{400,}")
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Marks that show source in another order than the one it runs in (CVE-2021-42574)."""


def hidden(path: str, old: bytes, new: bytes) -> Iterator[str]:
    """How the new content of a Java file hides what it does; nothing for other files."""
    if path.endswith(".java"):
        yield from _hidden(old, new)


def _hidden(old: bytes, new: bytes) -> Iterator[str]:
    root = parsed(new)
    if root is None:
        yield "source that takes too long to read"
        return
    former = parsed(old)
    before, after = old.decode("utf-8", "replace"), new.decode("utf-8", "replace")
    if _escapes(root, new) > (_escapes(former, old) if former is not None else 0):
        yield "code that is written in escapes"
    if _DIRECTIONS.search(after) and not _DIRECTIONS.search(before):
        yield "text that is shown in another order than it runs in"
    encoded = (part for said in texts_in(root) for part in _ENCODED.findall(said))
    if any(part not in before for part in encoded):
        yield "encoded content in a literal"


def _escapes(root: Node, source: bytes) -> int:
    """How many plain characters stand as escapes where they may be code."""
    texts = [each.text or b"" for each in found(root, "string_literal", "character_literal")]
    harmless = sum(len(_ESCAPED.findall(each)) - len(_ENDING.findall(each)) for each in texts)
    return len(_ESCAPED.findall(source)) - harmless
