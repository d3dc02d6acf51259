"""Java classes as text: what they declare, what is taken out of them and put into them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.languages.java.sources.declarations import TYPES, declarations
from evaluator.languages.java.syntax import field, parsed, text, walk
from generator.languages.java.structure import encoded, parameters

INDENTATION = "    "
_COMMENTS = ("line_comment", "block_comment")


@dataclass(frozen=True)
class Opened:
    """A class that another member can be put into: `head` + member + `tail`.

    `indentation` is that of its members. Both parts keep what stands around the class.
    """

    head: str
    tail: str
    indentation: str


def opened(code: str, binary_name: str) -> Opened | None:
    """A class, open at its end; None where the code declares no type, or cannot be read.

    Where several are declared, it is the one of that name, else the last one.
    """
    source = encoded(code)
    body = _body(source, binary_name)
    if body is None:
        return None
    end = body.end_byte - 1
    head = _decoded(source[:end]).rstrip()
    depth = _depth(body)
    tail = INDENTATION * (depth - 1) + _decoded(source[end:])
    return Opened(f"{head}\n", tail, INDENTATION * depth)


def _body(source: bytes, binary_name: str) -> Node | None:
    root = parsed(source)
    if root is None:
        return None
    nested = binary_name.rpartition(".")[2].replace("$", ".")
    types = [each for each in declarations(root) if each.node.type in TYPES]
    named = [each for each in types if f"{each.owner}{each.name}" == nested]
    chosen = next(iter([*named, *reversed(types)]), None)
    body = None if chosen is None else field(chosen.node, "body")
    return body if body is not None and body.end_byte > body.start_byte else None


def _depth(body: Node) -> int:
    """How many types surround a member of a body."""
    node: Node | None = body
    depth = 0
    while node is not None:
        depth += node.type in TYPES
        node = node.parent
    return depth


def without(code: str, unwanted: Callable[[Node], bool]) -> str:
    """The code without some declarations, their comments, and the lines that would be empty."""
    source = encoded(code)
    root = parsed(source)
    if root is None:
        return code
    for start, end in reversed(list(_spans(root, source, unwanted))):
        source = source[:start] + source[end:]
    return _decoded(source)


def _spans(
    root: Node, source: bytes, unwanted: Callable[[Node], bool]
) -> Iterator[tuple[int, int]]:
    reached = 0
    for node in walk(root):
        if node.start_byte < reached or not unwanted(node):
            continue
        start, reached = _with_comments(node).start_byte, node.end_byte
        yield _whole_lines(source, start, reached)


def _with_comments(node: Node) -> Node:
    """The first of the comments right before a declaration, or the declaration itself."""
    before = node.prev_sibling
    # A comment on the line of what stands before it is about that.
    while before is not None and before.type in _COMMENTS and _begins_line(before):
        node, before = before, before.prev_sibling
    return node


def _begins_line(node: Node) -> bool:
    before = node.prev_sibling
    return before is None or before.end_point.row < node.start_point.row


def _whole_lines(source: bytes, start: int, end: int) -> tuple[int, int]:
    """The place, with its lines where nothing else stands on them, and an empty one before."""
    line = source.rfind(b"\n", 0, start) + 1
    after = source.find(b"\n", end)
    after = len(source) if after < 0 else after + 1
    alone = not source[line:start].strip() and not source[end:after].strip()
    if not alone:
        return start, end
    previous = source.rfind(b"\n", 0, max(line - 1, 0)) + 1
    return (line if source[previous:line].strip() else previous), after


def indented(member: str, indentation: str) -> str:
    """A member as it stands at this indentation, whatever it had where it was cut out.

    What is cut out begins in mid-line, so that its last line shows how far it was indented.
    """
    first, _, rest = member.strip().partition("\n")
    last = rest.rpartition("\n")[2]
    cut_off = last[: len(last) - len(last.lstrip())]
    block = textwrap.dedent(f"{cut_off}{first}\n{rest}" if rest else first)
    return textwrap.indent(block, indentation)


def method_node(source: str) -> Node | None:
    """The method or constructor that a text holds; None where it holds none."""
    # Members are valid at the top level of no file, so they are read inside a class.
    root = parsed(encoded(f"class A {{\n{source}\n}}"))
    kinds = ("method_declaration", "constructor_declaration")
    found = (node for node in (walk(root) if root is not None else ()) if node.type in kinds)
    return next(found, None)


def same_signature(source: str) -> Callable[[Node], bool]:
    """Whether a node declares the method of a text: its name, and its parameters as written."""
    wanted = method_node(source)
    key = None if wanted is None else _signature(wanted)
    return lambda node: node.type.endswith("_declaration") and _signature(node) == key


def _signature(node: Node) -> tuple[str, str, str]:
    return node.type, text(field(node, "name")), "".join(parameters(node).split())


def simple_name(binary_name: str) -> str:
    """The name of a class without its package and the classes around it."""
    return binary_name.rpartition(".")[2].rpartition("$")[2]


def canonical_name(binary_name: str) -> str:
    """The name by which code refers to a class from anywhere."""
    return binary_name.replace("$", ".")


def imports(code: str) -> Iterable[str]:
    """What a file imports, as it is written: `java.util.List`, `static a.B.c`, `a.b.*`."""
    root = parsed(encoded(code))
    nodes = () if root is None else (n for n in root.named_children if "import" in n.type)
    return [text(node).removeprefix("import").strip().rstrip(";").strip() for node in nodes]


def _decoded(source: bytes) -> str:
    return source.decode("utf-8", "surrogateescape")
