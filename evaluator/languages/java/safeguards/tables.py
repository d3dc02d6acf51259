"""Tables that a class reads from files or resources, and where something is looked up in them."""

from __future__ import annotations

from collections.abc import Iterator, Set

from tree_sitter import Node

from evaluator.languages.java.safeguards.places import Places
from evaluator.languages.java.sources.assertions import arguments
from evaluator.languages.java.sources.declarations import METHODS, fields_named
from evaluator.languages.java.syntax import field, found, text

_READING = frozenset(
    {"getResource", "getResourceAsStream", "getSystemResource", "getSystemResourceAsStream"}
    | {"getResources", "getBundle", "readAllLines", "readAllBytes", "readString"}
    | {"newBufferedReader", "newInputStream"}
)
_READERS = frozenset({"FileReader", "FileInputStream", "RandomAccessFile", "ZipFile", "JarFile"})
_FILLING = frozenset({"load", "loadFromXML", "put", "putAll", "putIfAbsent", "add", "addAll"})
_LOOKING_UP = frozenset({"get", "getOrDefault", "getProperty", "containsKey", "contains"})
_OPTIONAL = frozenset({"ofNullable", "requireNonNullElse", "requireNonNullElseGet"})
_DECLARATIONS = ("field_declaration", "local_variable_declaration")


def tables(root: Node) -> Set[str]:
    """The names of what a file fills from other files: fields, variables, and methods."""
    places = Places(found(root, "static_initializer", *METHODS)).outermost
    own = {text(field(place, "name")) for place in places if _reads(place, _READING)} - {""}
    reading = _READING | own
    filled = {name for place in places if _reads(place, reading) for name in _filled_in(place)}
    declared = Places(found(root, *_DECLARATIONS)).outermost
    return own.union(filled, _read(declared, reading)) - {""}


def table_asked(call: Node, known: Set[str]) -> str:
    """The one of some tables that a call looks something up in; "" for none."""
    if text(field(call, "name")) not in _LOOKING_UP or not arguments(call):
        return ""
    table = field(call, "object")
    if table is not None and table.type in ("method_invocation", "field_access"):
        table = field(table, "name") or field(table, "field")
    return name if (name := text(table)) in known else ""


def with_default(call: Node) -> Node | None:
    """What a call looks up with something else in its place; None for any other call."""
    name, given = text(field(call, "name")), arguments(call)
    if name == "getOrDefault" or (name == "getProperty" and len(given) > 1):
        return call
    return given[0] if name in _OPTIONAL and given else None


def _reads(node: Node, methods: Set[str]) -> bool:
    """Whether a part of a file reads other files, by some methods or by a new reader."""
    return any(
        text(field(each, "name")) in methods
        if each.type == "method_invocation"
        else text(field(each, "type")).rpartition(".")[2] in _READERS
        for each in found(node, "method_invocation", "object_creation_expression")
    )


def _filled_in(place: Node) -> Iterator[str]:
    """What is added to where files are read."""
    for call in found(place, "method_invocation"):
        if text(field(call, "name")) in _FILLING:
            yield text(field(call, "object"))


def _read(declarations: list[Node], methods: Set[str]) -> Iterator[str]:
    """The variables that are set to what is read; a text alone is no table."""
    for declaration in declarations:
        if text(field(declaration, "type")) != "String":
            pairs = fields_named(declaration)
            yield from (name for name, declarator in pairs if _reads(declarator, methods))
