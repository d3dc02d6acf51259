"""What a Python module does, and where; and what lies with modules so that code may read it."""

from __future__ import annotations

import ast
import dis
import types
import warnings
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

from evaluator.diff import Source
from evaluator.languages.python.parsing import NOT_PYTHON, parsed


def behaviour(content: bytes) -> str | None:
    """A module's syntax tree without documentation, as text; None for what is no valid Python."""
    tree = parsed(content)
    return None if tree is None else ast.dump(_WithoutDocumentation().visit(tree))


def is_data(path: str, source: Source) -> bool:
    """Whether a file lies in a package."""
    parents = PurePosixPath(path).parents
    return any(source(str(parent / "__init__.py")) is not None for parent in parents)


class _WithoutDocumentation(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.Expr | ast.Pass:
        return ast.Pass() if isinstance(node.value, ast.Constant) else node


def executable_lines(path: str, content: bytes, lines: Collection[int]) -> Collection[int]:
    """Those of some lines that Python has code for; all of them where it cannot compile the file.

    Nothing better is known of such a file: it may be written for another version.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(content, path, "exec", dont_inherit=True)
    except NOT_PYTHON:
        return lines
    return set(lines).intersection(_starts(code))


def _starts(code: types.CodeType) -> Iterator[int]:
    yield from (line for _, line in dis.findlinestarts(code) if line)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _starts(constant)
