"""What stands in a syntax tree, and where."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from evaluator.languages.python.parsing import Function


def texts(trees: Iterable[ast.AST]) -> Iterator[str]:
    """The literal texts in some trees."""
    for tree in trees:
        for node in ast.walk(tree):
            match node:
                case ast.Constant(value=str(text)):
                    yield text


def functions(tree: ast.AST) -> Iterator[Function]:
    """The functions of a module, methods and inner functions too."""
    yield from (node for node in ast.walk(tree) if isinstance(node, Function))


def holds(node: ast.AST, line: int) -> bool:
    """Whether a line, counted from 1, is one of a node's."""
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", None) or 0
    return first <= line <= last
