"""What a Python module does, and what lies with modules so that code may read it."""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

from evaluator.diff import Source
from evaluator.python_source import parsed


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
