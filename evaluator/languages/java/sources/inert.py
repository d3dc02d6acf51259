"""Java files as a change leaves them, with the behaviour that they had before.

What the change adds is there: types, members, comments. Nothing that was there before uses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.languages.java.sources.behaviour import words
from evaluator.languages.java.sources.declarations import (
    METHODS,
    TYPES,
    Declaration,
    declarations,
    fields_named,
    modifiers,
)
from evaluator.languages.java.syntax import field, parsed, text

_STUB = b"{ throw new UnsupportedOperationException(); }"
_FIELDS = frozenset({"field_declaration", "constant_declaration"})

_Name = tuple[str, str, str, int]
"""Of a member: the types around it, its kind, what it is called, which of these it is."""


class _UnlikeError(Exception):
    """The two sides differ in more than their members."""


@dataclass(frozen=True)
class _Edit:
    """Bytes from `start` to `end` of the new content, and what takes their place."""

    start: int
    end: int
    text: bytes


def inert(before: bytes | None, after: bytes) -> bytes | None:
    """The new content of a file with the behaviour of the old; None where that cannot be made.

    Methods that were there have their old bodies, fields their old values; what was removed is
    there again. New methods that may override others only throw.
    """
    if before is None:
        return after
    old, new = parsed(before), parsed(after)
    if old is None or new is None or old.has_error or new.has_error:
        return None
    try:
        edits = list(_edits(old, new))
    except _UnlikeError:
        return None
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        after = after[: edit.start] + edit.text + after[edit.end :]
    return after


def _edits(old: Node, new: Node) -> Iterator[_Edit]:
    before, after = _members(old), _members(new)
    yield from _imports(old, new)
    for name, each in after.items():
        other = before.get(name)
        if other is not None:
            yield from _kept(other.node, each.node)
        elif not _is_within_new(each, before):
            yield from _added(each.node)
    gone = {name: each for name, each in before.items() if name not in after}
    for each in gone.values():
        if not _is_within_new(each, after):
            yield _restored(each, after)


def _members(root: Node) -> dict[_Name, Declaration]:
    found: dict[_Name, Declaration] = {}
    for each in declarations(root):
        parameters = field(each.node, "parameters")
        named = [name for name, _ in fields_named(each.node)] if each.node.type in _FIELDS else []
        called = f"{each.name}{words(parameters) if parameters else ''}{','.join(named)}"
        number = 0
        while (each.owner, each.node.type, called, number) in found:
            number += 1
        found[each.owner, each.node.type, called, number] = each
    return found


def _is_within_new(each: Declaration, others: Mapping[_Name, Declaration]) -> bool:
    """Whether a member belongs to a type that the other side lacks: it goes where that goes."""
    known = {f"{one.owner}{one.name}." for one in others.values() if one.node.type in TYPES}
    return each.owner != "" and each.owner not in known


def _kept(old: Node, new: Node) -> Iterator[_Edit]:
    """What has to be edited in a member that was there."""
    if new.type in TYPES:
        if _header(old) != _header(new):
            raise _UnlikeError
    elif words(old) != words(new):
        if new.type == "enum_constant":
            raise _UnlikeError
        yield _Edit(new.start_byte, new.end_byte, old.text or b"")


def _header(node: Node) -> list[str]:
    return [words(child) for child in node.children if child != field(node, "body")]


def _added(node: Node) -> Iterator[_Edit]:
    body = field(node, "body")
    if node.type in METHODS and body is not None and not _is_alone(node):
        yield _Edit(body.start_byte, body.end_byte, _STUB)
    elif node.type in ("static_initializer", "block"):
        yield _Edit(node.start_byte, node.end_byte, b"")
    elif node.type == "enum_constant":  # it is among all values
        raise _UnlikeError


def _is_alone(method: Node) -> bool:
    """Whether a method overrides none that was there: one that is static or private."""
    return not modifiers(method).isdisjoint({"static", "private"})


def _restored(each: Declaration, after: Mapping[_Name, Declaration]) -> _Edit:
    """A member that is gone, at the end of the type that it stood in."""
    owners = (one for one in after.values() if f"{one.owner}{one.name}." == each.owner)
    body = next((field(one.node, "body") for one in owners if one.node.type in TYPES), None)
    if body is None or body.type == "enum_body":
        raise _UnlikeError
    place = body.end_byte - 1
    return _Edit(place, place, b"\n" + (each.node.text or b"") + b"\n")


def _imports(old: Node, new: Node) -> Iterator[_Edit]:
    """The imports that are gone, before the others; raises where the package is another."""
    before, after = _headers(old), _headers(new)
    if [one for one in before if one.startswith("package")] != [
        one for one in after if one.startswith("package")
    ]:
        raise _UnlikeError
    gone = b"".join(node.text or b"" for line, node in before.items() if line not in after)
    place = next((node.end_byte for node in after.values()), 0)
    if gone:
        yield _Edit(place, place, b"\n" + gone + b"\n")


def _headers(root: Node) -> Mapping[str, Node]:
    kinds: Sequence[str] = ("package_declaration", "import_declaration")
    return {text(node): node for node in root.children if node.type in kinds}
