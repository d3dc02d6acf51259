"""What a Python module does, and where; and what lies with modules so that code may read it."""

from __future__ import annotations

import ast
import dis
import inspect
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
    code = _compiled(content, path)
    if code is None:
        return lines
    return {*lines} & {line for part in _parts(code) for line in _lines(part)}


def loading_lines(content: bytes) -> Collection[int]:
    """The lines of a module, and of its classes, that are in no function; none of what is none."""
    code = _compiled(content)
    parts = [] if code is None else list(_parts(code))
    functions = [part for part in parts if part.co_flags & inspect.CO_OPTIMIZED]
    called = {line for function in functions for line in _called_lines(function)}
    return {line for part in parts for line in _lines(part)} - called


def _called_lines(function: types.CodeType) -> Collection[int]:
    """Without the line of its `def`, unless all of the function stands there."""
    lines = set(_lines(function))
    return lines - {function.co_firstlineno} or lines


def _compiled(content: bytes, path: str = "<module>") -> types.CodeType | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(content, path, "exec", dont_inherit=True)
    except NOT_PYTHON:
        return None


def _parts(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a module with that of all its classes and functions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _parts(constant)


def _lines(code: types.CodeType) -> Iterator[int]:
    return (line for _, line in dis.findlinestarts(code) if line)
