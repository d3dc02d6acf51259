"""Reads Python source that others wrote."""

from __future__ import annotations

import ast
import functools
import threading
import warnings
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef
Defined = Function | ast.ClassDef
NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `parse` raises for source that is no Python of our own version, or is nested too deeply."""
DEEPEST = 150
"""Nodes of a syntax tree within each other: of 3,462 modules of real projects the deepest has 47.

Who walks through a tree by recursion, as most of `ast` does, comes to about 230.
"""

_PARSING = threading.Lock()


def parse(source: str | bytes, version: tuple[int, int] | None = None) -> ast.Module:
    """The syntax tree, without a word on what Python warns of. Raises one of NOT_PYTHON.

    `version` is that of an older grammar.
    """
    # The filters of warnings belong to the whole process, and so does the depth that releases of
    # Python 3.11 and 3.12 count while they make a tree: where two threads make one each, this ends
    # in a SystemError (https://github.com/python/cpython/issues/106905). Hence the lock.
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source, feature_version=version)
    if _is_deep(tree):
        raise RecursionError(f"more than {DEEPEST} parts of the code stand within each other")
    return tree


def _is_deep(tree: ast.AST) -> bool:
    level = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return bool(level)


def parsed(source: str | bytes, version: tuple[int, int] | None = None) -> ast.Module | None:
    """The syntax tree, None for what is no Python; never raises."""
    try:
        return parse(source, version)
    except NOT_PYTHON:
        return None


@functools.lru_cache(maxsize=128)
def parsed_leniently(source: bytes) -> ast.Module | None:
    """The syntax tree of a module in the grammar of our own version or of 3.6, else None.

    The tree is shared: it is for reading only.
    """
    return parsed(source) or parsed(source, (3, 6))


def first_line(node: ast.stmt) -> int:
    """The line on which a statement starts, decorators included."""
    decorators = node.decorator_list if isinstance(node, Defined) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def last_name(node: ast.AST) -> str:
    """The name that an expression is, or ends with as an attribute; "" for any other."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def without_brackets(node: ast.expr) -> ast.expr:
    """A type or a base class without what stands in brackets after it."""
    return node.value if isinstance(node, ast.Subscript) else node


def base_names(node: ast.ClassDef) -> frozenset[str]:
    """What the bases of a class are called, without packages; "" stands for other expressions."""
    return frozenset(last_name(without_brackets(base)) for base in node.bases)


def named_functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function]]:
    """The functions of a module, each with its qualified name; a property has several of one."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function | ast.ClassDef):
            name = f"{prefix}{node.name}"
            if isinstance(node, Function):
                yield name, node
            yield from named_functions(node, f"{name}.")
        else:
            yield from named_functions(node, prefix)


def names_in(tree: ast.AST) -> Iterator[str]:
    """What code reads or sets by its name, or as an attribute of anything."""
    for node in ast.walk(tree):
        if name := last_name(node):
            yield name
