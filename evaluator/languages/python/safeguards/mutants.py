"""Small faults in lines of a module: another constant, another comparison."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterator

from evaluator.languages.python.parsing import parsed
from evaluator.languages.python.sources.edits import SIGNS, Edits
from evaluator.languages.safeguards import Mutant

_OTHER = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OTHER |= {"is": "is not", "is not": "is", "in": "not in", "not in": "in"}


def mutants(path: str, content: bytes, lines: Collection[int]) -> Iterator[Mutant]:
    """Comparisons, then constants, that stand in some lines of a Python file, each made another."""
    tree = parsed(content)
    if tree is None or content.startswith(b"\xef\xbb\xbf"):
        return
    nodes = [node for node in _outside_text(tree) if getattr(node, "lineno", 0) in lines]
    edits = Edits(content)
    signs = (place for n in nodes if isinstance(n, ast.Compare) for place in _signs(edits, n))
    values = (place for n in nodes if isinstance(n, ast.Constant) for place in _values(edits, n))
    found = (_replaced(path, content, *place) for place in itertools.chain(signs, values))
    yield from (mutant for mutant in found if parsed(mutant.content) is not None)


def _outside_text(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but for documentation and what is in f-strings."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            continue
        yield node
        yield from _outside_text(node)


_Place = tuple[int, int, int, str]
"""A line, from where to where its content is replaced, and by what."""


def _signs(edits: Edits, node: ast.Compare) -> Iterator[_Place]:
    operands = [node.left, *node.comparators]
    for left, right, operator in zip(operands, operands[1:], node.ops, strict=False):
        sign = SIGNS[type(operator)]
        place = edits.sign(left, right, sign)
        if place is not None:
            yield node.lineno, *place, _OTHER[sign]


def _values(edits: Edits, node: ast.Constant) -> Iterator[_Place]:
    match node.value:
        case bool() as value:
            yield node.lineno, edits.start(node), edits.end(node), str(not value)
        case int() | float() as value:
            yield node.lineno, edits.start(node), edits.end(node), repr(value + 1)
        case str() as value:
            yield node.lineno, edits.start(node), edits.end(node), repr(f"{value}x")


def _replaced(path: str, content: bytes, line: int, start: int, end: int, text: str) -> Mutant:
    changed = content[:start] + text.encode() + content[end:]
    old = content[start:end].decode(errors="replace")
    return Mutant(path, line, changed, f"{old[:40]} -> {text[:40]}")
