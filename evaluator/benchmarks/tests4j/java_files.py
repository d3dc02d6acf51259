"""Java files as the benchmark sees them: types by binary name, methods by erased parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.languages.java.sources.declarations import (
    METHODS,
    TYPES,
    declarations,
    marks,
    modifiers,
    parameters,
)
from evaluator.languages.java.syntax import field, first_line, found, last_line, parsed, text

_DEEPEST = 20
"""How many type variables may be bounded by one another."""
_NOT_A_TYPE = frozenset({"modifiers", "variable_declarator"})


@dataclass(frozen=True)
class JavaMethod:
    """A method or constructor. `parameters` are erased types without packages, as in `String[]`."""

    name: str
    parameters: tuple[str, ...]
    node: Node

    @property
    def source(self) -> str:
        """Its text with annotations, without the comment above it."""
        return text(self.node)

    @property
    def is_constructor(self) -> bool:
        """Whether it has no type of what it returns."""
        return self.node.type != "method_declaration"

    @property
    def body(self) -> Node | None:
        """Its block; None where it is abstract."""
        return field(self.node, "body")

    @property
    def lines(self) -> frozenset[int]:
        """Its lines, counted from 1."""
        return frozenset(range(first_line(self.node), last_line(self.node) + 1))

    @property
    def takes_any_number(self) -> bool:
        """Whether its last parameter stands for any number of arguments."""
        return any(each.type == "spread_parameter" for each in parameters(self.node))

    @property
    def annotations(self) -> frozenset[str]:
        """The names of its annotations without packages."""
        return frozenset(marks(self.node))

    @property
    def modifiers(self) -> frozenset[str]:
        """Its modifiers, such as `public`."""
        return modifiers(self.node)


@dataclass(frozen=True)
class JavaType:
    """A class, interface, enum, record or annotation type that is not local.

    `binary_name` is that of the class file: `org.example.Outer$Inner`. `supertypes` are the erased
    names of what it extends and implements, with packages where the source has them.
    """

    binary_name: str
    node: Node
    supertypes: tuple[str, ...]
    methods: tuple[JavaMethod, ...]

    @property
    def simple_name(self) -> str:
        """The name that its declaration gives it."""
        return text(field(self.node, "name"))

    @property
    def fields(self) -> tuple[Node, ...]:
        """The declarations of its fields."""
        body = field(self.node, "body")
        members = [] if body is None else body.named_children
        return tuple(each for each in members if each.type == "field_declaration")

    @property
    def is_top(self) -> bool:
        """Whether no other type is around it."""
        return "$" not in self.binary_name

    @property
    def annotations(self) -> frozenset[str]:
        """The names of its annotations without packages."""
        return frozenset(marks(self.node))


@dataclass(frozen=True)
class JavaFile:
    """A Java source file; without types where it cannot be read.

    `imports` are names as in `java.util.List`, `java.util.*` and `static java.util.List.of`.
    """

    path: str
    package: str
    imports: tuple[str, ...]
    types: tuple[JavaType, ...]

    @property
    def main_type(self) -> JavaType | None:
        """The type that the file is named for, else its first one; None where it has none."""
        stem = self.path.rpartition("/")[2].removesuffix(".java")
        tops = [each for each in self.types if each.is_top]
        return next((each for each in tops if each.simple_name == stem), next(iter(tops), None))


def read_java(path: str, content: bytes) -> JavaFile:
    """Read a file, however broken it is."""
    root = parsed(content)
    if root is None:
        return JavaFile(path, "", (), ())
    package = _package(root)
    return JavaFile(path, package, tuple(_imports(root)), tuple(_types(root, package)))


def _package(root: Node) -> str:
    declared = next((n for n in root.named_children if n.type == "package_declaration"), None)
    names = [] if declared is None else declared.named_children
    return next((text(n) for n in names if n.type in ("identifier", "scoped_identifier")), "")


def _imports(root: Node) -> Iterator[str]:
    for node in root.named_children:
        if node.type == "import_declaration":
            yield " ".join(text(node).removeprefix("import").rstrip("; \t\r\n").split())


def _types(root: Node, package: str) -> Iterator[JavaType]:
    """The types of a file; the variables of those around a type count inside of it, too."""
    known = list(declarations(root))
    variables: dict[str, Mapping[str, str]] = {"": {}}
    for each in known:
        if each.node.type in TYPES:
            inside = f"{each.owner}{each.name}."
            variables[inside] = {**variables[each.owner], **_variables(each.node)}
            members = (one for one in known if one.owner == inside and one.node.type in METHODS)
            yield JavaType(
                f"{package}.{each.owner.replace('.', '$')}{each.name}".removeprefix("."),
                each.node,
                tuple(_supertypes(each.node)),
                tuple(_method(one.name, one.node, variables[inside]) for one in members),
            )


def _supertypes(node: Node) -> Iterator[str]:
    for part in node.children:
        if part.type in ("superclass", "super_interfaces", "extends_interfaces"):
            listed = next(found(part, "type_list"), part)
            yield from (_qualified(kind) for kind in listed.named_children)


def _qualified(node: Node) -> str:
    """A type's name as it is written, without type arguments and annotations."""
    if node.type == "generic_type":
        return _qualified(node.named_children[0])
    return text(node)


def _method(name: str, node: Node, around: Mapping[str, str]) -> JavaMethod:
    variables = {**around, **_variables(node)}
    return JavaMethod(name, tuple(_parameter(one, variables) for one in parameters(node)), node)


def _parameter(node: Node, variables: Mapping[str, str]) -> str:
    if node.type == "spread_parameter":
        kind = next(part for part in node.named_children if part.type not in _NOT_A_TYPE)
        return f"{_erased(kind, variables)}[]"
    brackets = text(field(node, "dimensions")).count("[")
    kind = field(node, "type") or node
    return _erased(kind, variables) + "[]" * brackets


def erased(node: Node) -> str:
    """A type without packages, type arguments and annotations: `List`, `String[]`; "" for none."""
    return _erased(node, {})


def _erased(node: Node, variables: Mapping[str, str]) -> str:
    """A type without packages, type arguments, variables and annotations."""
    if node.type == "array_type":
        brackets = text(field(node, "dimensions")).count("[")
        return _erased(field(node, "element") or node, variables) + "[]" * brackets
    if node.type == "generic_type":
        return _erased(node.named_children[0], variables)
    if node.type == "annotated_type":
        return _erased(node.named_children[-1], variables)
    # The parser puts an empty type where code lacks one.
    name = "".join(text(node).rpartition(".")[2].split()[-1:])
    return variables.get(name, name)


def _variables(node: Node) -> Mapping[str, str]:
    """The type variables that a declaration has, and what they are erased to."""
    listed = field(node, "type_parameters")
    bounds: dict[str, str] = {}
    for each in () if listed is None else listed.named_children:
        if each.type == "type_parameter":
            bound = next((part for part in each.named_children if part.type == "type_bound"), None)
            name = next(text(part) for part in each.named_children if "identifier" in part.type)
            bounds[name] = "Object" if bound is None else _erased(bound.named_children[0], {})
    return {name: _end(name, bounds) for name in bounds}


def _end(name: str, bounds: Mapping[str, str]) -> str:
    for _ in range(_DEEPEST):
        if name not in bounds:
            break
        name = bounds[name]
    return name
