"""Java expressions for values of a type, drawn at random, from nothing but declarations.

Simple types have a pool of values, which Randoop's (Pacheco and Ernst, 2007) resembles; collections
are empty or hold one value; classes of the dataset are made by their constructors and by static
methods that return them. Whatever else there is becomes `null`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.benchmarks.tests4j.dataset import FocalMethod
from evaluator.languages.java.sources.declarations import TYPES, declarations, modifiers, parameters
from evaluator.languages.java.syntax import field, found, parsed, text
from generator.languages.java.structure import encoded
from generator.unit_tests.code import canonical_name, simple_name

_POOLS: Mapping[str, tuple[str, ...]] = {
    "boolean": ("true", "false"),
    "byte": ("(byte) -1", "(byte) 0", "(byte) 1", "(byte) 10", "(byte) 100"),
    "short": ("(short) -1", "(short) 0", "(short) 1", "(short) 10", "(short) 100"),
    "char": ("'#'", "' '", "'4'", "'a'"),
    "int": ("-1", "0", "1", "10", "100"),
    "long": ("-1L", "0L", "1L", "10L", "100L"),
    "float": ("-1.0f", "0.0f", "1.0f", "10.0f", "100.0f"),
    "double": ("-1.0", "0.0", "1.0", "10.0", "100.0"),
    "String": ('""', '"hi!"', '"a b"', '"0"'),
    "Object": ("new Object()", '"hi!"', "0"),
    "Class": ("Object.class", "String.class"),
    "Number": ("0", "1.0"),
    "BigDecimal": ("java.math.BigDecimal.ZERO", "java.math.BigDecimal.TEN"),
    "BigInteger": ("java.math.BigInteger.ZERO", "java.math.BigInteger.TEN"),
    "Date": ("new java.util.Date(0L)",),
    "Duration": ("java.time.Duration.ZERO", "java.time.Duration.ofSeconds(1L)"),
    "File": ('new java.io.File("hi!")',),
    "InputStream": ("new java.io.ByteArrayInputStream(new byte[0])",),
    "Instant": ("java.time.Instant.EPOCH",),
    "Locale": ("java.util.Locale.ROOT", "java.util.Locale.ENGLISH"),
    "LocalDate": ("java.time.LocalDate.of(2000, 1, 31)",),
    "LocalDateTime": ("java.time.LocalDateTime.of(2000, 1, 31, 12, 0)",),
    "OutputStream": ("new java.io.ByteArrayOutputStream()",),
    "Path": ('java.nio.file.Paths.get("hi!")',),
    "Properties": ("new java.util.Properties()",),
    "Reader": ('new java.io.StringReader("hi!")',),
    "UUID": ("new java.util.UUID(0L, 1L)",),
    "Writer": ("new java.io.StringWriter()",),
    "Runnable": ("() -> {}",),
    "Callable": ("() -> null",),
    "Supplier": ("() -> null",),
    "Consumer": ("it -> {}",),
    "Function": ("it -> it",),
    "Predicate": ("it -> true", "it -> false"),
    "Comparator": ("(one, other) -> 0",),
}
_SAME = {
    "Boolean": "boolean",
    "Byte": "byte",
    "Short": "short",
    "Character": "char",
    "Integer": "int",
    "Long": "long",
    "Float": "float",
    "Double": "double",
    "CharSequence": "String",
    "Comparable": "String",
    "Serializable": "String",
}
_COLLECTIONS = {
    "List": "java.util.ArrayList",
    "ArrayList": "java.util.ArrayList",
    "Collection": "java.util.ArrayList",
    "Iterable": "java.util.ArrayList",
    "Set": "java.util.HashSet",
    "HashSet": "java.util.HashSet",
}
_MAPS = {"Map": "java.util.HashMap", "HashMap": "java.util.HashMap"}
_DEEPEST = 2
"""How many calls of constructors stand inside of each other."""
_NESTED = re.compile(r"<.*>|@\w+(\([^)]*\))?|\bfinal\b", re.DOTALL)
_ARGUMENT = re.compile(r"<\s*(?:\?\s*(?:extends|super)\s+)?([\w.]+)\s*>")

NULL = "null"


@dataclass(frozen=True)
class Creation:
    """What makes an object: a constructor or a static method, and the types of its parameters."""

    call: str
    parameters: tuple[str, ...]


Creations = Mapping[str, Sequence[Creation]]
"""By the simple names of classes."""


def creations(methods: Iterable[FocalMethod]) -> Creations:
    """How the focal classes of some methods are made, as far as their contexts show it."""
    contexts = {method.focal_class: method.focal_context for method in methods}
    known: dict[str, Sequence[Creation]] = {}
    for name, context in contexts.items():
        known.setdefault(simple_name(name), tuple(_creations(name, context)))
    return known


def _creations(binary_name: str, context: str) -> Iterable[Creation]:
    root = parsed(encoded(context))
    named = simple_name(binary_name)
    members = [] if root is None else list(declarations(root))
    types = [each.node for each in members if each.node.type in TYPES and each.name == named]
    if not types or not _can_be_made(types[0]):
        return
    own = [each for each in members if each.owner.rstrip(".").rpartition(".")[2] == named]
    made = [each.node for each in own if each.node.type == "constructor_declaration"]
    for node in made:
        yield Creation(f"new {canonical_name(binary_name)}", parameter_types(node))
    for member in own:
        if _makes(member.node, named):
            call = f"{canonical_name(binary_name)}.{member.name}"
            yield Creation(call, parameter_types(member.node))
    if not made:
        yield Creation(f"new {canonical_name(binary_name)}", ())


def _can_be_made(declaration: Node) -> bool:
    return declaration.type == "class_declaration" and "abstract" not in modifiers(declaration)


def _makes(node: Node, named: str) -> bool:
    """Whether a static method returns its own class."""
    if node.type != "method_declaration" or "static" not in modifiers(node):
        return False
    return _bare(text(field(node, "type"))) == named


def parameter_types(node: Node) -> tuple[str, ...]:
    """The types of a method's parameters as they are written, `...` as `[]`."""
    return tuple(map(_written, parameters(node)))


def _written(parameter: Node) -> str:
    if parameter.type == "spread_parameter":
        typed = [c for c in parameter.named_children if "type" in c.type or "ident" in c.type]
        return f"{text(typed[0]) if typed else 'Object'}[]"
    dimensions = next(found(parameter, "dimensions"), None)
    written = text(field(parameter, "type"))
    own = dimensions is not None and dimensions.parent == parameter
    return written + (text(dimensions) if own else "")


def _bare(written: str) -> str:
    """A type without arguments, annotations and package."""
    return _NESTED.sub("", written).strip().rpartition(".")[2]


class Values:
    """Draws expressions for values of types, from the creations that are known."""

    def __init__(self, known: Creations, draw: random.Random) -> None:
        self._known = known
        self._draw = draw

    def of(self, written: str, depth: int = 0) -> str:
        """An expression for a type as code writes it."""
        if written.endswith("[]"):
            return self._array(written, depth)
        name = _SAME.get(_bare(written), _bare(written))
        if name in _POOLS:
            return self._draw.choice(_POOLS[name])
        if name in _COLLECTIONS:
            return self._collection(_COLLECTIONS[name], written, depth)
        if name in _MAPS:
            return f"new {_MAPS[name]}<>()"
        if name == "Optional":
            return "java.util.Optional.empty()"
        return self._made(name, depth)

    def made(self, creation: Creation, depth: int = 0) -> str:
        """An expression that makes an object."""
        return f"{creation.call}({self.arguments(creation.parameters, depth + 1)})"

    def arguments(self, types: Sequence[str], depth: int = 0) -> str:
        """Expressions for parameters of these types."""
        return ", ".join(self.of(each, depth) for each in types)

    def _made(self, name: str, depth: int) -> str:
        options = self._known.get(name, ())
        if not options or depth >= _DEEPEST:
            return NULL
        return self.made(self._draw.choice(options), depth)

    def _array(self, written: str, depth: int) -> str:
        element = written[:-2].strip()
        bare = _NESTED.sub("", element).strip()
        if bare not in _POOLS and bare not in _SAME:
            return NULL  # of a type whose name may not be imported
        values = [self.of(element, depth)] * self._draw.randrange(2)
        return f"new {bare}[] {{{', '.join(values)}}}"

    def _collection(self, made: str, written: str, depth: int) -> str:
        argument = _ARGUMENT.search(written)
        inside = self.of(argument[1], depth + 1) if argument is not None else NULL
        if inside == NULL or "->" in inside or not self._draw.randrange(2):
            return f"new {made}<>()"
        return f"new {made}<>(java.util.Collections.singletonList({inside}))"
