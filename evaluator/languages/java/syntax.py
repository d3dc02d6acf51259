"""Java source as a syntax tree, whatever is wrong with it, in bounded time.

The trees are those of tree-sitter with https://github.com/tree-sitter/tree-sitter-java; the types
of their nodes are listed in its `src/node-types.json`. Offsets count bytes, so that a file in an
encoding that is not known can be edited in place.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator

import tree_sitter
import tree_sitter_java
from tree_sitter import Node

_JAVA = tree_sitter.Language(tree_sitter_java.language())
_LARGEST = 2_000_000
_STEPS_PER_BYTE = 0.05
"""Calls of the progress callback: valid Java needs 0.01, and up to 0.03 in files of data."""
_MOST_BRACKETS = 1000
"""`<` between two of `;{}`, each of which the parser takes for two things: memory grows squared."""
_CHUNK = 1 << 11
"""Bytes that are copied at a time, also for the text of a node, be it one sign."""


@functools.lru_cache(maxsize=64)
def parsed(source: bytes) -> Node | None:
    """The root of a syntax tree, with nodes of type ERROR where the source is no valid Java.

    None for a source that takes too long to read. The tree is shared: it is for reading only.
    """
    if len(source) > _LARGEST or _is_ambiguous(source):
        return None
    steps, most = itertools.count(), 1000 + len(source) * _STEPS_PER_BYTE
    try:
        tree = tree_sitter.Parser(_JAVA).parse(
            lambda offset, _: source[offset : offset + _CHUNK],
            progress_callback=lambda *_: next(steps) > most,
        )
    except ValueError:  # What it raises when the callback has it stop.
        return None
    return tree.root_node


def _is_ambiguous(source: bytes) -> bool:
    statements = re.split(rb"[;{}]", source)
    return max(part.count(b"<") for part in statements) > _MOST_BRACKETS


def walk(node: Node) -> Iterator[Node]:
    """A node and everything in it, in the order of the source."""
    cursor, depth = node.walk(), 0
    while cursor.node is not None:
        yield cursor.node
        if cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if depth == 0:
                return
            cursor.goto_parent()
            depth -= 1


def found(node: Node, *types: str) -> Iterator[Node]:
    """A node and everything in it, as far as it is of these types, in the order of the source."""
    return (part for part in walk(node) if part.type in types)


def field(node: Node, name: str) -> Node | None:
    """The child in a field of the grammar, such as `name`, `body` or `arguments`."""
    return node.child_by_field_name(name)


def text(node: Node | None) -> str:
    """The source of a node; "" where there is none. What is no UTF-8 is replaced."""
    return "" if node is None else (node.text or b"").decode("utf-8", "replace")


def first_line(node: Node) -> int:
    """The line on which a node begins, counted from 1."""
    return node.start_point.row + 1


def last_line(node: Node) -> int:
    """The line on which a node ends, counted from 1."""
    return node.end_point.row + 1
