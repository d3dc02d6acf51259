"""Names of Java code written out, where the imports that bring them do not come along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

from evaluator.languages.java.syntax import field, found, text
from generator.unit_tests.code import imports

_NAMES = ("identifier", "type_identifier")
Edit = tuple[int, int, str]
"""Where a part of a source begins and ends, in bytes, and what stands in its place."""


def imported(code: str) -> Mapping[str, str]:
    """The types that a file imports one by one, with their packages, by their names without."""
    listed = (name for name in imports(code) if not name.startswith("static "))
    return {name.rpartition(".")[2]: name for name in listed if not name.endswith(".*")}


def imported_members(code: str) -> Mapping[str, str]:
    """The static members that a file imports one by one, with their classes, by their names."""
    listed = (name.removeprefix("static ") for name in imports(code) if name.startswith("static "))
    return {name.rpartition(".")[2]: name for name in listed if not name.endswith(".*")}


def imported_classes(code: str) -> frozenset[str]:
    """The classes of which a file imports all static members."""
    listed = (name.removeprefix("static ") for name in imports(code) if name.startswith("static "))
    return frozenset(name.removesuffix(".*") for name in listed if name.endswith(".*"))


def written_out(code: Node, names: Mapping[str, str]) -> Iterator[Edit]:
    """The edits that put full names in the places of names in some code."""
    for node in found(code, *_NAMES):
        name = text(node)
        if name in names and not _is_member(node):
            yield node.start_byte, node.end_byte, names[name]


def called_in_full(code: Node, members: Mapping[str, str]) -> Iterator[Edit]:
    """The edits that name the classes of static methods which are called without them."""
    for call in found(code, "method_invocation"):
        name = field(call, "name")
        if name is not None and field(call, "object") is None and text(name) in members:
            yield name.start_byte, name.end_byte, members[text(name)]


def _is_member(node: Node) -> bool:
    """Whether a name stands behind a dot, or names a method or a variable."""
    before, parent = node.prev_sibling, node.parent
    named = None if parent is None else field(parent, "name")
    return (before is not None and before.type == ".") or named == node


def edited(source: bytes, edits: Iterable[Edit], start: int = 0) -> str:
    """A source that begins at an offset with edits made; of those that overlap, the first."""
    made, reached = bytearray(), start
    for begin, end, new in sorted(edits):
        if begin >= reached:
            made += source[reached - start : begin - start] + new.encode()
            reached = end
    return (made + source[reached - start :]).decode("utf-8", "replace")
