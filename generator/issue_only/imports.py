"""The imports of a test, gathered from many lines into few."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from evaluator.python_source import parsed

_WIDTH = 79


def split_imports(sources: Iterable[str]) -> tuple[list[str], list[str]]:
    """The sources that only import (the future aside, which is none of theirs), and the others."""
    imports: list[str] = []
    others: list[str] = []
    for source in sources:
        nodes = _nodes(source)
        if not nodes or not all(isinstance(node, ast.Import | ast.ImportFrom) for node in nodes):
            others.append(source)
        elif not any(_is_future(node) for node in nodes):
            imports.append(source)
    return imports, others


def merged(sources: Sequence[str]) -> tuple[str, ...]:
    """Import statements with what comes from one module in one of them; no name twice."""
    nodes = [node for source in sources for node in _nodes(source)]
    whole = [ast.unparse(node) for node in nodes if isinstance(node, ast.Import)]
    names: dict[str, dict[str, None]] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names.setdefault(module, {}).update((ast.unparse(alias), None) for alias in node.names)
    return (*dict.fromkeys(whole), *(_line(module, list(found)) for module, found in names.items()))


def _nodes(source: str) -> Sequence[ast.stmt]:
    tree = parsed(source)
    return tree.body if tree else []


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _line(module: str, names: Sequence[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    return line if len(line) <= _WIDTH else f"from {module} import (\n{_wrapped(names)}\n)"


def _wrapped(names: Sequence[str]) -> str:
    return "\n".join(_rows(names))


def _rows(names: Sequence[str]) -> Iterator[str]:
    row = "   "
    for name in names:
        if len(row) + len(name) + 2 > _WIDTH:
            yield row
            row = "   "
        row += f" {name},"
    yield row
