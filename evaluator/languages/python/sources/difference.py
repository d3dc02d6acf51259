"""The statements in which two versions of a module differ."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from evaluator.languages.python.parsing import Function, parsed_leniently

Scope = Function | ast.ClassDef


@dataclass(frozen=True)
class AddedStatements:
    """Statements of a module that the other version does not have, and its imports.

    Of a class that stands on both sides, only the differing statements are there.
    """

    statements: ast.Module = field(default_factory=lambda: ast.Module([], []))
    imports: ast.Module = field(default_factory=lambda: ast.Module([], []))


def differing(old: bytes | None, new: bytes | None) -> tuple[AddedStatements, AddedStatements]:
    """What stands in the old version of a module only, and what in the new one only.

    A version that is absent, or no Python, has no statement.
    """
    before, after = _pieces(old), _pieces(new)
    return _only(old, before - after), _only(new, after - before)


def _pieces(content: bytes | None) -> Counter[bytes]:
    tree = parsed_leniently(content or b"")
    if tree is None:
        return Counter()
    lines = (content or b"").splitlines()
    return Counter(_text(statement, lines) for statement in _statements(tree))


def _only(content: bytes | None, wanted: Counter[bytes]) -> AddedStatements:
    tree = parsed_leniently(content or b"")
    if tree is None or not content:
        return AddedStatements()
    lines = content.splitlines()
    kept = [s for s in (_cut(statement, lines, wanted) for statement in tree.body) if s]
    imports = [statement for statement in tree.body if not isinstance(statement, Scope)]
    return AddedStatements(ast.Module(kept, []), ast.Module(imports, []))


def _cut(statement: ast.stmt, lines: list[bytes], wanted: Counter[bytes]) -> ast.stmt | None:
    """A statement if it is wanted, a class with those of its statements that are, or nothing."""
    if _text(statement, lines) in wanted:
        return statement
    if not isinstance(statement, ast.ClassDef):
        return None
    body = [s for s in (_cut(inner, lines, wanted) for inner in statement.body) if s]
    return ast.ClassDef(statement.name, statement.bases, [], body, []) if body else None


def _statements(tree: ast.Module | ast.ClassDef) -> Iterator[ast.stmt]:
    """The statements of a module, each class in its parts."""
    for statement in tree.body:
        yield statement
        if isinstance(statement, ast.ClassDef):
            yield from _statements(statement)


def _text(statement: ast.stmt, lines: list[bytes]) -> bytes:
    """The lines of a statement; of a class, those before its body."""
    decorators = statement.decorator_list if isinstance(statement, Scope) else []
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    last = statement.end_lineno or first
    if isinstance(statement, ast.ClassDef):
        last = max(first, statement.body[0].lineno - 1)
    return b"\n".join(lines[first - 1 : last])
