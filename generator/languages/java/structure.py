"""The classes and methods of Java sources and of pieces of them, as nodes of a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from evaluator import PatchError
from evaluator.languages.java import syntax
from evaluator.languages.java.sources.declarations import modifiers

CLASSES = (
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
)
METHODS = (
    "method_declaration",
    "constructor_declaration",
    "compact_constructor_declaration",
)
FIELDS = ("field_declaration", "constant_declaration")

_TESTS = frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"})


def encoded(text: str) -> bytes:
    """The bytes of a text, as they were where it was read with what is no UTF-8 kept."""
    return text.encode("utf-8", "surrogateescape")


def root_of(text: str) -> Node:
    """The tree of a text. Raises PatchError for one that takes too long to read."""
    root = syntax.parsed(encoded(text))
    if root is None:
        raise PatchError("it is too large or too deep to be read")
    return root


def whole(text: str) -> Node:
    """The tree of a valid text. Raises PatchError, naming the line, where it is no Java."""
    root = root_of(text)
    problem = why_broken(root)
    if problem:
        raise PatchError(problem)
    return root


def why_broken(root: Node) -> str:
    """Where a tree shows that its source is no valid Java; "" where it is."""
    if not root.has_error:
        return ""
    broken = (node for node in syntax.walk(root) if node.is_error or node.is_missing)
    node = next(broken, root)
    if node.is_missing:
        return f"line {syntax.first_line(node)}: `{node.type}` is missing"
    shown = syntax.text(node).strip().partition("\n")[0][:80]
    return f"line {syntax.first_line(node)}: `{shown}` is not understood"


def name_of(node: Node) -> str:
    """The name of a class, a method, or the first variable of a declaration; "" for none."""
    named = syntax.field(node, "name") or syntax.field(
        syntax.field(node, "declarator") or node, "name"
    )
    return syntax.text(named)


def members(declaration: Node) -> Iterator[Node]:
    """What stands in the body of a class, comments left out."""
    body = syntax.field(declaration, "body")
    for child in body.named_children if body is not None else ():
        if child.type == "enum_body_declarations":
            yield from child.named_children
        elif not child.type.endswith("comment"):
            yield child


def classes(root: Node) -> list[Node]:
    """The classes at the top level of a file."""
    return [child for child in root.named_children if child.type in CLASSES]


def marks_of(declaration: Node) -> frozenset[str]:
    """The names of a declaration's annotations, without their packages."""
    modifiers = (child for child in declaration.children if child.type == "modifiers")
    marks = (
        mark for part in modifiers for mark in part.named_children if "annotation" in mark.type
    )
    return frozenset(syntax.text(syntax.field(m, "name")).rpartition(".")[2] for m in marks)


def is_test(method: Node) -> bool:
    """Whether a method is a test of any framework; of JUnit 3 it is by its name."""
    if method.type != "method_declaration":
        return False
    named = name_of(method).startswith("test") and not parameters(method)
    return bool(named or marks_of(method) & _TESTS) or _in_marked_class(method)


def _in_marked_class(method: Node) -> bool:
    """Whether TestNG takes a method for a test as it does all public ones of a marked class."""
    around = method.parent.parent if method.parent is not None else None
    if around is None or around.type not in CLASSES or "Test" not in marks_of(around):
        return False
    return not marks_of(method) and "public" in modifiers(method)


def parameters(method: Node) -> str:
    """The types of a method's parameters, with commas; "" for none."""
    listed = syntax.field(method, "parameters")
    types = (syntax.field(p, "type") or p for p in (listed.named_children if listed else ()))
    return ", ".join(" ".join(syntax.text(node).split()) for node in types)


def imports(root: Node) -> tuple[str, ...]:
    """What the imports of a file name: `java.util.List`, `java.util.*`, `static a.B.c`."""
    found = (child for child in root.named_children if child.type == "import_declaration")
    return tuple(imported(node) for node in found)


def imported(declaration: Node) -> str:
    """What an import names, as `imports` returns it."""
    words = syntax.text(declaration).removeprefix("import").rstrip("; \n").split()
    static = "static " if words[:1] == ["static"] else ""
    return static + "".join(words[bool(static) :])


def package(root: Node) -> str:
    """The package of a file, "" for the default one."""
    found = (child for child in root.named_children if child.type == "package_declaration")
    node = next(found, None)
    words = syntax.text(node).rstrip("; \n").split() if node else []
    return words[-1] if words else ""
