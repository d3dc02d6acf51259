"""The code that an assertion, or a whole test, depends on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.languages.python.parsing import Function
from evaluator.languages.python.sources.test_code import functions, holds

_MOST = 200
"""Pieces of code looked at for one assertion."""
_SETUP = re.compile(r"(async)?_?set_?up", re.IGNORECASE)


def assertion_context(tree: ast.Module, function: str, line: int) -> tuple[ast.AST, ...]:
    """The statement on a line of a test, the conditions it stands under, and what its names mean.

    That is what they were set to in the test or its file, and the functions and fixtures of the
    file that they name. Empty where the line is in no function.
    """
    known = list(functions(tree))
    around = [f for f in known if holds(f, line)] or [f for f in known if f.name == function]
    parts = [part for each in around for part in _at(each, line)]
    parts += [part for each in around for part in _fixtures(each, tree)]
    return _with_meanings(parts, [*around, tree])


def whole_context(trees: Sequence[ast.Module], function: str) -> tuple[ast.AST, ...]:
    """All of a test, of what sets it up, and of what their names mean in some files.

    The test stands in the first of the `trees`; where no function there has its name, every
    function may be the test.
    """
    known = [f for tree in trees[:1] for f in functions(tree)]
    around = [f for f in known if f.name == function] or known
    setups = [f for tree in trees for f in functions(tree) if _sets_up(f)]
    return _with_meanings([*around, *setups], [*around, *trees])


def _sets_up(function: Function) -> bool:
    decorators = " ".join(map(ast.unparse, function.decorator_list))
    return bool(_SETUP.match(function.name)) or "fixture" in decorators


def _with_meanings(parts: Iterable[ast.AST], scopes: list[ast.AST]) -> tuple[ast.AST, ...]:
    pending = list(parts)
    found: list[ast.AST] = []
    while pending and len(found) < _MOST:
        node = pending.pop()
        if node not in found:
            found.append(node)
            pending.extend(_meant(node, scopes))
    return tuple(found)


def _at(node: ast.AST, line: int) -> Iterator[ast.AST]:
    """The innermost statement on a line, and what the statements around it depend on."""
    for child in ast.iter_child_nodes(node):
        if not holds(child, line) or not isinstance(child, ast.stmt | ast.ExceptHandler):
            continue
        match child:
            case ast.If(test=depends) | ast.While(test=depends) | ast.For(iter=depends):
                yield depends
            case ast.With(items=items):
                yield from (item.context_expr for item in items)
            case ast.Try(body=body):
                yield from body
            case ast.ExceptHandler() | ast.FunctionDef() | ast.AsyncFunctionDef():
                pass
            case _:
                yield child
        yield from _at(child, line)


def _fixtures(function: Function, tree: ast.Module) -> Iterator[ast.AST]:
    names = {argument.arg for argument in function.args.args}
    yield from (n for n in tree.body if isinstance(n, Function) and n.name in names)


def _meant(node: ast.AST, scopes: list[ast.AST]) -> Iterator[ast.AST]:
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    called = {
        part.func.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
    }
    for scope in scopes:
        for part in ast.walk(scope) if isinstance(scope, Function) else _top(scope):
            match part:
                case ast.Assign(targets=targets, value=value):
                    if names & {t.id for t in targets if isinstance(t, ast.Name)}:
                        yield value
                case ast.With(items=items) if names & set(_bound(items)):
                    yield from (item.context_expr for item in items)
                case ast.FunctionDef(name=name) if name in names or name in called:
                    yield part


def _top(scope: ast.AST) -> Iterator[ast.AST]:
    """What a file or its classes define."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if isinstance(child, ast.ClassDef):
            yield from ast.iter_child_nodes(child)


def _bound(items: list[ast.withitem]) -> Iterator[str]:
    for item in items:
        if isinstance(item.optional_vars, ast.Name):
            yield item.optional_vars.id
