"""The types of a Java file and their members, and which of the methods are tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.languages.java.syntax import field, first_line, found, last_line, text

TYPES = frozenset(
    {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}
    | {"annotation_type_declaration"}
)
METHODS = frozenset(
    {"method_declaration", "constructor_declaration", "compact_constructor_declaration"}
)
_FIELDS = frozenset({"field_declaration", "constant_declaration"})
_OTHERS = frozenset({"static_initializer", "block", "enum_constant"})
_IMPLYING = frozenset({"interface_declaration", "annotation_type_declaration"})
_PARAMETERS = frozenset({"formal_parameter", "spread_parameter"})
_MEMBERS = TYPES | METHODS | _FIELDS | _OTHERS
_BODIES = frozenset(
    {"class_body", "interface_body", "enum_body", "enum_body_declarations", "annotation_type_body"}
)
TEST_MARK = r"(?!After|Before)\w*(?<!For)Test|TestFactory|TestTemplate|Theory|Property"
"""Annotations of methods that test, of JUnit and TestNG, of what extends them, and a project's own.

https://docs.junit.org/current/user-guide/#writing-tests-meta-annotations
"""
_TEST_MARK = re.compile(TEST_MARK)
DISABLING = frozenset({"Ignore", "Disabled"})
"""Annotations of tests, and of classes, that do not run."""
_TEST_NAME = re.compile(r"test\w*")
_STATIC_IMPORT = re.compile(r"import\s+static\s+(?:\w+\.)*(\w+)\.(\w+|\*)\s*;")


@dataclass(frozen=True)
class Declaration:
    """A type or one of its members.

    `owner` names the types around it, outermost first and with a dot behind each; `name` is "" for
    fields, which may have several, and for initializers.
    """

    owner: str
    name: str
    node: Node


def declarations(root: Node) -> Iterator[Declaration]:
    """The types of a file and their members, those of inner types behind those of outer ones.

    What is declared inside of methods belongs to these.
    """
    pending = [("", root)]
    while pending:
        owner, node = pending.pop(0)
        for child in node.named_children:
            if child.type in _BODIES:
                pending.append((owner, child))
            elif child.type in _MEMBERS:
                name = text(field(child, "name"))
                yield Declaration(owner, name, child)
                if child.type in TYPES:
                    pending.append((f"{owner}{name}.", child))


def is_set_up_at_loading(member: Node) -> bool:
    """Whether a member of a type is set up when the type is loaded."""
    if member.type in ("static_initializer", "constant_declaration", "enum_constant"):
        return True
    return member.type == "field_declaration" and "static" in text(member.child(0)).split()


def static_imports(root: Node) -> Iterator[tuple[str, str]]:
    """The names that static imports give, `*` for all, and the classes that they are of."""
    for node in found(root, "import_declaration"):
        if match := _STATIC_IMPORT.fullmatch(text(node)):
            yield match[2], match[1]


def methods(root: Node) -> Iterator[Declaration]:
    """The methods and constructors of a file."""
    return (each for each in declarations(root) if each.node.type in METHODS)


def methods_named(root: Node, name: str) -> list[Declaration]:
    """The methods of a name, of all types of a file."""
    return [each for each in methods(root) if each.name == name]


def marks(node: Node) -> dict[str, Node]:
    """The annotations of a declaration, by their names without packages."""
    modifiers = [child for child in node.children if child.type == "modifiers"]
    parts = (part for each in modifiers for part in each.named_children)
    return {
        text(field(mark, "name")).rpartition(".")[2]: mark
        for mark in parts
        if mark.type in ("annotation", "marker_annotation")
    }


def modifiers(node: Node) -> frozenset[str]:
    """The modifiers of a declaration, such as `public`, without annotations."""
    children = (
        part for each in node.children if each.type == "modifiers" for part in each.children
    )
    return frozenset(text(part) for part in children if not part.is_named)


def is_public(member: Node, around: Node) -> bool:
    """Whether a member of a type is public, as those of an interface are unless private."""
    own = modifiers(member)
    return "public" in own or (around.type in _IMPLYING and "private" not in own)


def parameters(node: Node) -> list[Node]:
    """The parameters of a method, a constructor or a record; a `spread_parameter` comes last."""
    listed = field(node, "parameters")
    return [] if listed is None else [n for n in listed.named_children if n.type in _PARAMETERS]


def has_test_mark(names: Iterable[str]) -> bool:
    """Whether one of some annotations is that of a test."""
    return any(_TEST_MARK.fullmatch(name) for name in names)


def is_test(method: Declaration) -> bool:
    """Whether a method is a test: annotated as one, or named as JUnit 3 has it."""
    if has_test_mark(marks(method.node)):
        return True
    parameters = field(method.node, "parameters")
    bare = parameters is not None and not parameters.named_children
    void = text(field(method.node, "type")) == "void"
    return bare and void and _TEST_NAME.fullmatch(method.name) is not None


def fields_named(node: Node) -> Iterator[tuple[str, Node]]:
    """Each variable that is declared in a node, fields and local ones, with its declarator."""
    for declarator in found(node, "variable_declarator"):
        yield text(field(declarator, "name")), declarator


def spans(node: Node, line: int) -> bool:
    """Whether a line, counted from 1, is one of a node's."""
    return first_line(node) <= line <= last_line(node)
