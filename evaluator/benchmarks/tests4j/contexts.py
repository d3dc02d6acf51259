"""What a generator may see of the focal class and of the test class (thesis, section 4.1, p. 25).

The focal class is cut to its head, its public fields, and the heads of its public methods, with the
method under test in its place. The test class is cut to its imports, its head, its fields, what
runs before each test, and the heads of its other methods; tests are left out. Both are valid Java.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable, Iterator

from tree_sitter import Node

from evaluator.benchmarks.tests4j.java_files import JavaFile, JavaMethod, JavaType
from evaluator.languages.java.sources.declarations import is_public
from evaluator.languages.java.syntax import field, found, text

_INDENT = "    "
_BEFORE = frozenset({"Before", "BeforeEach", "BeforeClass", "BeforeAll", "BeforeMethod"})
_FIELDS = frozenset({"field_declaration", "constant_declaration"})
_COMMENTS = frozenset({"line_comment", "block_comment"})
_MARKS = frozenset({"annotation", "marker_annotation"})
_LITERAL = r'"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
_SPACE = re.compile(rf"({_LITERAL})|\s+")


def cut_focal_class(kind: JavaType, focal: JavaMethod) -> str:
    """The focal class with the method under test in full."""
    shown = [
        _indented(method.node) if method == focal else _head(method.node, _COMMENTS | _MARKS)
        for method in kind.methods
        if method == focal or is_public(method.node, kind.node)
    ]
    fields = [
        _one_line(node, _COMMENTS | _MARKS) for node in _fields(kind) if is_public(node, kind.node)
    ]
    return _class(_type_head(kind, _COMMENTS | _MARKS), [*_constants(kind), *fields], shown)


def cut_test_class(file: JavaFile, kind: JavaType, tests: Collection[JavaMethod]) -> str:
    """The test class of a file without some tests."""
    methods = [
        _indented(method.node) if _runs_before(method) else _head(method.node, _COMMENTS)
        for method in kind.methods
        if method not in tests
    ]
    fields = [_indented(node) for node in _fields(kind)]
    imports = "".join(f"import {name};\n" for name in file.imports)
    made = _class(_type_head(kind, _COMMENTS), [*_constants(kind), *fields], methods)
    return f"{imports}\n{made}" if imports else made


def _class(head: str, fields: Iterable[str], methods: Iterable[str]) -> str:
    members = ["\n".join(f"{_INDENT}{field}" for field in fields)]
    members += [f"{_INDENT}{method}" for method in methods]
    body = "\n\n".join(filter(None, members))
    return f"{head} {{\n{body}\n}}\n" if body else f"{head} {{\n}}\n"


def _type_head(kind: JavaType, left_out: frozenset[str]) -> str:
    return _until(kind.node, field(kind.node, "body"), left_out)


@functools.lru_cache(maxsize=4096)  # All methods of a class show the heads of the others.
def _head(method: Node, left_out: frozenset[str]) -> str:
    body = field(method, "body")
    head = _until(method, body, left_out)
    return head if body is None else f"{head} {{}}"


def _one_line(node: Node, left_out: frozenset[str]) -> str:
    return _until(node, None, left_out)


def _until(node: Node, end: Node | None, left_out: frozenset[str]) -> str:
    """The source of a node up to one in it, on one line."""
    last = node.end_byte if end is None else end.start_byte
    content = node.text or b""
    kept, at = bytearray(), node.start_byte
    for part in _outermost(node, left_out):
        if part.start_byte < last:
            kept += content[at - node.start_byte : part.start_byte - node.start_byte] + b" "
            at = part.end_byte
    kept += content[at - node.start_byte : last - node.start_byte]
    return _SPACE.sub(lambda match: match[1] or " ", kept.decode("utf-8", "replace")).strip()


def _outermost(node: Node, types: frozenset[str]) -> Iterator[Node]:
    end = 0
    for part in found(node, *types):
        if part.start_byte >= end:
            end = part.end_byte
            yield part


def _fields(kind: JavaType) -> Iterator[Node]:
    return (node for node in _members(kind) if node.type in _FIELDS)


def _members(kind: JavaType) -> Iterator[Node]:
    body = field(kind.node, "body")
    for node in () if body is None else body.named_children:
        yield from node.named_children if node.type == "enum_body_declarations" else (node,)


def _constants(kind: JavaType) -> list[str]:
    """The constants of an enum, in one line."""
    names = [text(field(n, "name")) for n in _members(kind) if n.type == "enum_constant"]
    return [f"{', '.join(names)};"] if kind.node.type == "enum_declaration" else []


def _runs_before(method: JavaMethod) -> bool:
    return method.name == "setUp" or not _BEFORE.isdisjoint(method.annotations)


def _indented(node: Node) -> str:
    """The source of a node with the indentation that members of the context have."""
    first, *rest = text(node).splitlines()
    column = node.start_point.column
    lines = (f"{_INDENT}{line[_leading(line, column) :]}".rstrip() for line in rest)
    return "\n".join((first, *lines))


def _leading(line: str, most: int) -> int:
    return min(most, len(line) - len(line.lstrip()))
