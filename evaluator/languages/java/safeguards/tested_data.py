"""Data that given tests read, in classes that a change edits.

A test that somebody hands in may take its examples, or what it expects, from a constant of the
project. A change that makes it another has the test say something else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from tree_sitter import Node

from evaluator.languages import is_test_file
from evaluator.languages.java.sources.assertions import arguments
from evaluator.languages.java.syntax import field, found, parsed, text
from evaluator.languages.safeguards import BaseTree, Concern
from evaluator.languages.sources import Changed

_TYPES = (
    *("class_declaration", "interface_declaration", "enum_declaration", "record_declaration"),
    "annotation_type_declaration",
)
_TAKING = frozenset(
    {"clear", "remove", "removeIf", "put", "putAll", "replace", "replaceAll", "set"}
)
"""Methods that make a table another, but for those that only add to it."""
_CODE = ("lambda_expression", "method_reference", "class_body")
_MAKING = frozenset({"of", "asList", "ofEntries"})
_VIEWS = frozenset({"stream", "iterator", "forEach", "entrySet", "keySet", "values", "clone"})
"""Methods that give what a table holds: who calls another one of something tests that."""
_IMPORT = re.compile(r"import\s+static\s+(?:\w+\.)*(\w+)\.(\w+|\*)\s*;")
_Constant = tuple[str, str]
"""The class of a constant, and its name."""


def edited_data(changed: Changed, base: BaseTree) -> Iterator[Concern]:
    """The classes in which a change replaces, or takes away, data that given tests read.

    What it adds to a table is none of these tests' examples.
    """
    given = base.given(changed).items()
    readers = {path: _read(content) for path, content in given if path.endswith(".java")}
    for path, new in sorted(changed.items()) if readers else ():
        if not path.endswith(".java") or is_test_file(path) or new is None:
            continue
        old = base.source(path) or b""
        for reader, read in readers.items():
            for owner, name in sorted(_edited(old, new, read)):
                yield Concern(path, f"edits {owner}.{name}, which {reader} reads")


def _read(content: bytes) -> frozenset[_Constant]:
    """The constants that a file reads, but for those that it calls methods of."""
    root = parsed(content)
    if root is None:
        return frozenset()
    imported = {name: owner for owner, name in _static_imports(root)}
    calls = found(root, "method_invocation")
    tested = {
        each.id
        for call in calls
        if text(field(call, "name")) not in _VIEWS and (each := field(call, "object")) is not None
    }
    nodes = (node for node in found(root, "field_access", "identifier") if node.id not in tested)
    return frozenset(read for node in nodes for read in _read_by(node, imported))


def _static_imports(root: Node) -> Iterator[_Constant]:
    for node in found(root, "import_declaration"):
        if match := _IMPORT.fullmatch(text(node)):
            yield match[1], match[2]


def _read_by(node: Node, imported: Mapping[str, str]) -> Iterator[_Constant]:
    if node.type == "field_access":
        yield from _of_a_class(node)
    elif owner_name := imported.get(text(node), imported.get("*", "")):
        yield owner_name, text(node)


def _edited(old: bytes, new: bytes, read: Collection[_Constant]) -> Collection[_Constant]:
    """Those of some constants whose data lack something by the new content of a file."""
    before, after = (_data(content, read) for content in (old, new))
    lacking = {each for each in before if before[each] - after.get(each, Counter())}
    done, doing = (Counter(_made_others(content, read)) for content in (old, new))
    return lacking | {constant for constant, _ in doing - done}


def _made_others(content: bytes, read: Collection[_Constant]) -> Iterator[tuple[_Constant, str]]:
    """Each of some constants that code sets or takes something from, with that code."""
    root = parsed(content)
    if root is None:
        return
    for node in found(root, "assignment_expression", "method_invocation"):
        called = node.type == "method_invocation"
        if called and text(field(node, "name")) not in _TAKING:
            continue
        for constant in _of_a_class(field(node, "object" if called else "left")):
            if constant in read:
                yield constant, text(node)


def _of_a_class(node: Node | None) -> Iterator[_Constant]:
    """The class and the name of what is written `Cases.ALL`, or as an item of it."""
    if node is not None and node.type == "array_access":
        node = field(node, "array")
    if node is not None and node.type == "field_access":
        owner = field(node, "object")
        if owner is not None and owner.type in ("identifier", "field_access"):
            yield text(field(owner, "field") or owner), text(field(node, "field"))


def _data(content: bytes, read: Collection[_Constant]) -> Mapping[_Constant, Counter[str]]:
    """What a file sets constants to; each item of a table is one for itself."""
    root = parsed(content)
    declared: dict[_Constant, Counter[str]] = {}
    for declaration in found(root, *_TYPES) if root is not None else ():
        owner = text(field(declaration, "name"))
        for name, items in _constants(list(_members(declaration))):
            if (owner, name) in read:
                declared.setdefault((owner, name), Counter()).update(items)
    return declared


def _members(declaration: Node) -> Iterator[Node]:
    body = field(declaration, "body")
    for member in body.named_children if body is not None else ():
        yield from member.named_children if member.type == "enum_body_declarations" else [member]


def _constants(members: Sequence[Node]) -> Iterator[tuple[str, Counter[str]]]:
    """The static fields of a type that have a value, with what is in them.

    That is also what the type's static initialisers do to them.
    """
    known = set()
    for member in filter(_is_static, members):
        for variable in member.children_by_field_name("declarator"):
            value = field(variable, "value")
            if value is not None and next(found(value, *_CODE), None) is None:
                known.add(text(field(variable, "name")))
                yield text(field(variable, "name")), _items(value)
    for member in members:
        calls = found(member, "method_invocation") if member.type == "static_initializer" else ()
        for call in calls:
            owner = field(call, "object")
            if owner is not None and owner.type == "identifier" and text(owner) in known:
                yield text(owner), Counter([text(call)])


def _is_static(member: Node) -> bool:
    if member.type == "constant_declaration":
        return True
    modifiers = member.named_children[0] if member.named_children else None
    return member.type == "field_declaration" and "static" in text(modifiers).split()


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
