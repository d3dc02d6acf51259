"""Which module an import did not find, and which one raises an error of its own."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from evaluator.languages.python.parsing import parsed
from evaluator.model import Failure

_LACKING = frozenset({ImportError.__name__, ModuleNotFoundError.__name__})
"""These are about what is not there, not about what is."""
_ABSENT = re.compile(r"No module named '([A-Za-z_][\w.]*)'")


def absent_module(message: str) -> str:
    """The dotted name of the module that an import did not find, "" where it says none."""
    found = _ABSENT.search(message)
    return found[1] if found else ""


def failing_import(failure: Failure, tree: Path) -> str:
    """The dotted name of the module in whose import an error was raised, outside of `tree`.

    The deepest line of the project is the import then. "" for another failure.
    """
    if failure.exception_type in _LACKING or failure.frame is None:
        return ""
    path, line = tree / failure.frame.path, failure.frame.line
    code = parsed(path.read_bytes()) if path.is_file() else None
    if code is None:
        return ""
    found = (_imported(node) for node in ast.walk(code) if _is_at(node, line))
    return next(filter(None, found), "")


def _is_at(node: ast.AST, line: int) -> bool:
    return isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line)


def _imported(node: ast.AST) -> str:
    if isinstance(node, ast.ImportFrom):
        return "" if node.level else node.module or ""
    return node.names[0].name if isinstance(node, ast.Import) else ""
