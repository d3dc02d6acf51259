"""Data that given tests read, in classes of Java that a change edits.

What is read is known by its class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from tree_sitter import Node

from evaluator.languages import tested_data
from evaluator.languages.java.sources.assertions import arguments
from evaluator.languages.java.sources.declarations import (
    Declaration,
    declarations,
    is_set_up_at_loading,
    static_imports,
)
from evaluator.languages.java.syntax import field, found, parsed, text
from evaluator.languages.safeguards import BaseTree, Concern
from evaluator.languages.sources import Changed
from evaluator.languages.tested_data import Read, lacking

_TAKING = frozenset(
    {"clear", "remove", "removeIf", "put", "putAll", "replace", "replaceAll", "set"}
)
"""Methods that make a table another, but for those that only add to it."""
_CODE = ("lambda_expression", "method_reference", "class_body")
_MAKING = frozenset({"of", "asList", "ofEntries"})
_VIEWS = frozenset({"stream", "iterator", "forEach", "entrySet", "keySet", "values", "clone"})
"""Methods that give what a table holds: who calls another one of something tests that."""


def edited_data(changed: Changed, base: BaseTree) -> tuple[Concern, ...]:
    """The classes in which a change edits data that given tests read.

    That is where they stand, or by what code does to them.
    """
    given = base.given(changed).items()
    readers = {path: _read(content) for path, content in given if path.endswith(".java")}
    return tuple(tested_data.edited_data(changed, base, ".java", readers, _edited))


def _read(content: bytes) -> frozenset[Read]:
    """The constants that a file reads, but for those that it calls methods of."""
    root = parsed(content)
    if root is None:
        return frozenset()
    imported = dict(static_imports(root))
    calls = found(root, "method_invocation")
    tested = {
        each.id
        for call in calls
        if text(field(call, "name")) not in _VIEWS and (each := field(call, "object")) is not None
    }
    nodes = (node for node in found(root, "field_access", "identifier") if node.id not in tested)
    return frozenset(read for node in nodes for read in _read_by(node, imported))


def _read_by(node: Node, imported: Mapping[str, str]) -> Iterator[Read]:
    if node.type == "field_access":
        yield from _of_a_class(node)
    elif owner_name := imported.get(text(node), imported.get("*", "")):
        yield owner_name, text(node)


def _edited(_: str, old: bytes, new: bytes, wanted: Collection[Read]) -> Mapping[Read, str]:
    """Those of some constants that lack something by the new content of a file."""
    before, after = (_data(content, wanted) for content in (old, new))
    done, doing = (Counter(_made_others(content, wanted)) for content in (old, new))
    found_here = lacking(before, after) | {constant for constant, _ in doing - done}
    return {constant: ".".join(constant) for constant in found_here}


def _made_others(content: bytes, wanted: Collection[Read]) -> Iterator[tuple[Read, str]]:
    """Each of some constants that code sets or takes something from, with that code."""
    root = parsed(content)
    if root is None:
        return
    for node in found(root, "assignment_expression", "method_invocation"):
        called = node.type == "method_invocation"
        if called and text(field(node, "name")) not in _TAKING:
            continue
        for constant in _of_a_class(field(node, "object" if called else "left")):
            if constant in wanted:
                yield constant, text(node)


def _of_a_class(node: Node | None) -> Iterator[Read]:
    """The class and the name of what is written `Cases.ALL`, or as an item of it."""
    if node is not None and node.type == "array_access":
        node = field(node, "array")
    if node is not None and node.type == "field_access":
        owner = field(node, "object")
        if owner is not None and owner.type in ("identifier", "field_access"):
            yield text(field(owner, "field") or owner), text(field(node, "field"))


def _data(content: bytes, wanted: Collection[Read]) -> Mapping[Read, Counter[str]]:
    """What a file sets constants to; each item of a table is one for itself.

    Static initialisers may fill them.
    """
    root = parsed(content)
    members = declarations(root) if root is not None else ()
    shared = [each for each in members if is_set_up_at_loading(each.node)]
    constants: dict[Read, Counter[str]] = {}
    for each in shared:
        for constant, items in _set(each):
            if constant in wanted:
                constants.setdefault(constant, Counter()).update(items)
    for each in shared:
        for constant, call in _filled(each):
            if constant in constants:
                constants[constant].update([call])
    return constants


def _set(member: Declaration) -> Iterator[tuple[Read, Counter[str]]]:
    for variable in member.node.children_by_field_name("declarator"):
        value = field(variable, "value")
        if value is not None and next(found(value, *_CODE), None) is None:
            yield (_class(member), text(field(variable, "name"))), _items(value)


def _filled(member: Declaration) -> Iterator[tuple[Read, str]]:
    is_code = member.node.type == "static_initializer"
    for call in found(member.node, "method_invocation") if is_code else ():
        owner = field(call, "object")
        if owner is not None and owner.type == "identifier":
            yield (_class(member), text(owner)), text(call)


def _class(member: Declaration) -> str:
    return member.owner.removesuffix(".").rpartition(".")[2]


def _items(value: Node) -> Counter[str]:
    """The items of an array, a list or a set, the pairs of a map; else the value itself."""
    if value.type == "array_creation_expression":
        value = field(value, "value") or value
    if value.type == "array_initializer":
        return Counter(map(text, value.named_children))
    if value.type == "method_invocation" and text(field(value, "name")) in _MAKING:
        items = [text(each) for each in arguments(value)]
        of_pairs = text(field(value, "object")) == "Map" and text(field(value, "name")) == "of"
        return Counter(map(str, zip(items[::2], items[1::2], strict=False)) if of_pairs else items)
    return Counter([text(value)])
