"""Python's notation for values and calls, in which models answer whatever language tests are in."""

from __future__ import annotations

import ast

from evaluator import PatchError
from evaluator.languages.python.blocks.code import parsed


def expression(text: str) -> ast.expr | None:
    """The one expression that a text is, None for any other text."""
    try:
        statements = parsed(text).body
    except PatchError:
        return None
    only = statements[0] if len(statements) == 1 else None
    return only.value if isinstance(only, ast.Expr) else None
