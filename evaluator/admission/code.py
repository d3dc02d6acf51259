"""The names that a test's code uses."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from evaluator.diff import Source
from evaluator.outcome import TestOutcome

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def names_used(outcome: TestOutcome, source: Source) -> frozenset[str]:
    """Every name in a test's function and in what its class sets up for it.

    Those of the whole file where the function is not found there, none where there is no code.
    """
    content = source(outcome.file) if outcome.file else None
    tree = None if content is None else _parsed(content)
    if tree is None:
        return frozenset()
    parts = list(_parts(tree, _function(outcome.test))) or [tree]
    return frozenset(name for part in parts for name in _names(part))


def _parsed(content: bytes) -> ast.AST | None:
    """The tree of a file; None where it is no Python of our own version."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _function(test: str) -> str:
    """The function in a test's name: `path::Class::NAME[parameters]` or `module.Class.NAME`."""
    return test.partition("[")[0].rpartition("::")[2].rpartition(".")[2].partition("#")[0]


def _parts(tree: ast.AST, function: str) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        members = [child for child in ast.iter_child_nodes(node) if isinstance(child, _Function)]
        found = [member for member in members if member.name == function]
        yield from found
        if found and isinstance(node, ast.ClassDef):
            yield from (member for member in members if not member.name.startswith("test"))


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield from name.split(".")
            case ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.Constant(value=str(text)) if text.isidentifier():
                yield text
