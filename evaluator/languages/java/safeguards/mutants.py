"""Small faults in lines of a Java file: another constant, another comparison, of the same type."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Collection, Iterator, Sequence

from tree_sitter import Node

from evaluator.languages.java.syntax import field, first_line, found, parsed, text
from evaluator.languages.safeguards import Mutant

_OTHER = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OTHER |= {"&&": "||", "||": "&&"}
_LOOPS = frozenset({"while_statement", "do_statement", "for_statement"})
_FIXED = frozenset({"annotation", "switch_label", "assert_statement", "enum_constant"})
"""Where constants must differ from each other, or say nothing of what code does."""


def mutants(path: str, content: bytes, lines: Collection[int]) -> Iterator[Mutant]:
    """Comparisons, then constants, that stand in some lines of a file, each made another."""
    root = parsed(content)
    if root is None:
        return
    nodes = [n for n in _changeable(root) if first_line(n) in lines]
    patterns = [n.start_byte for n in found(root, "instanceof_expression")]
    signs = (_sign(n, patterns) for n in nodes if n.type == "binary_expression")
    values = (_value(n) for n in nodes if n.type != "binary_expression")
    places = itertools.chain.from_iterable(itertools.chain(signs, values))
    yield from (_replaced(path, content, *place) for place in places)


def _changeable(root: Node) -> Iterator[Node]:
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        children = [child for child in node.children if child.type not in _FIXED]
        if node.type in _LOOPS:
            children = [child for child in children if not _is_endless(child)]
        pending += reversed(children)


def _is_endless(condition: Node) -> bool:
    """Whether a loop has no other end: code behind it would not be reached, or be."""
    return text(condition).strip("() ") in ("true", "false")


_SMALL = 100
_Place = tuple[Node, str]
"""What is replaced, and by what."""


def _sign(node: Node, patterns: Sequence[int]) -> Iterator[_Place]:
    """`patterns` are the places of `instanceof`, of which each may give a variable, in order."""
    sign = field(node, "operator")
    starts, ends = (bisect.bisect_left(patterns, at) for at in (node.start_byte, node.end_byte))
    binds = starts < ends
    if sign is not None and text(sign) in _OTHER and not (binds and text(sign) in ("&&", "||")):
        yield sign, _OTHER[text(sign)]


def _value(node: Node) -> Iterator[_Place]:
    said = text(node)
    match node.type:
        case "true" | "false":
            yield node, "false" if node.type == "true" else "true"
        case "decimal_integer_literal":
            yield node, _number(said)
        case "decimal_floating_point_literal" if said.rstrip("fFdD").replace(".", "").isdigit():
            yield node, f"1{said}"
        case "string_literal" if not said.startswith('"""'):
            yield node, f'{said[:-1]}x"'
        case "character_literal" if len(said) == 3 and said[1].isalnum() and said.isascii():
            yield node, f"'{'b' if said[1] == 'a' else 'a'}'"


def _number(said: str) -> str:
    """Another number that fits where this one does."""
    number = int(said.rstrip("lL").replace("_", ""))
    return f"{number + 1 if number < _SMALL else number - 1}{said[len(said.rstrip('lL')) :]}"


def _replaced(path: str, content: bytes, node: Node, value: str) -> Mutant:
    changed = content[: node.start_byte] + value.encode() + content[node.end_byte :]
    return Mutant(path, first_line(node), changed, f"{text(node)[:40]} -> {value[:40]}")
