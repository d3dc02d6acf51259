"""Numbers that code compares something with, or looks something up by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from evaluator.languages.java.safeguards.examples import is_number
from evaluator.languages.java.sources.assertions import arguments
from evaluator.languages.java.sources.constants import placed
from evaluator.languages.java.syntax import field, found, text

EQUAL = frozenset({"==", "!="})
PAIRING = frozenset({"of", "put", "entry", "putIfAbsent"})
"""Methods that are given keys with their values."""
_LOOKING_UP = frozenset({"equals", "get", "getOrDefault", "containsKey", "contains"} | PAIRING)
_COUNTS = re.compile(r"\b(?:length|size\(\)|count\(\))")
_LONGEST = 2000
"""Bytes of an expression that is read as a whole: files have expressions of any length."""

Names = Mapping[str, Node]
"""Variables, and the literals that they are set to."""


def equalled(root: Node, named: Names) -> Iterator[str]:
    """The numbers that something has to be equal to, that are looked up, or stand in a table.

    Words are compared with in honest code, too, which knows the names of options; and how many
    there are of something is another question than what it is.
    """
    for node in found(root, "binary_expression", "method_invocation", "enum_constant"):
        match node.type:
            case "binary_expression" if text(field(node, "operator")) in EQUAL:
                if not _counts(node):
                    yield from _numbers(field(node, "left"), named)
                    yield from _numbers(field(node, "right"), named)
            case "method_invocation" if text(field(node, "name")) in _LOOKING_UP:
                yield from _first_number(node, named)
            case "enum_constant":
                yield from _first_number(node, named)


def _counts(comparison: Node) -> bool:
    return is_short(comparison) and _COUNTS.search(text(comparison)) is not None


def is_short(node: Node) -> bool:
    """Whether an expression is short enough to be read as a whole."""
    return node.end_byte - node.start_byte < _LONGEST


def _first_number(call: Node, named: Names) -> Iterator[str]:
    """The number that is given first: a key, or what a row of an enumeration is for."""
    return (value for key in arguments(call)[:1] for value in _numbers(key, named))


def _numbers(node: Node | None, named: Names) -> Iterator[str]:
    """The number that an expression is, comes to, or has a name for."""
    if node is not None:
        value = named.get(text(node), node) if node.type == "identifier" else node
        yield from filter(is_number, direct(value))


def direct(node: Node | None) -> frozenset[str]:
    """The value of an expression that is a literal, or puts literals together."""
    if node is None or (node.named_children and not is_short(node)):
        return frozenset()
    if any(found(node, "method_invocation", "identifier")):
        return frozenset()
    return frozenset(value for _, value in placed(node))
