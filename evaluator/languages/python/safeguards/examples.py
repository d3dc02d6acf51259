"""The literal values of tests and issues: what is handed in, and what is expected."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evaluator.diff import Source
from evaluator.languages.disguises import disguises
from evaluator.languages.examples import quoted, unusual
from evaluator.languages.python.sources.difference import differing
from evaluator.languages.safeguards import Test

Literal = tuple[str, object]
"""The name of a value's type and the value: `True` and `1` are not the same here."""
_TRIVIAL = frozenset({"", " ", "\n", "__main__", "r", "w", "rb", "wb", "utf-8"})
_EXPECTING = re.compile(r"assert\w*(equal|is|in|close|same|match)\w*", re.IGNORECASE)
_ERRORS = frozenset({"raises", "warns", "assertRaisesRegex", "assertWarnsRegex"})
_SHORTEST_SEQUENCE = 2


@dataclass(frozen=True)
class Examples:
    """Values that tests hand to code, values that they expect of it (some are both), disguises."""

    inputs: frozenset[Literal]
    expected: frozenset[Literal]
    disguised: frozenset[Literal]


def examples(tests: Iterable[Test], source: Source, issue: str = "") -> Examples:
    """The values of new tests and of an issue, whose quoted texts are taken for input."""
    inputs: set[Literal] = {("str", text) for text in quoted(issue)}
    expected: set[Literal] = set()
    for path, content in tests:
        if path.endswith(".py"):
            tree = differing(source(path), content)[1].statements
            only = {id(node) for node in _expected(tree)}
            expected |= literals(*_expected(tree)) | literals(*_either(tree))
            inputs |= {v for n in ast.walk(tree) if id(n) not in only and (v := literal(n))}
            inputs |= {v for n in ast.walk(tree) if id(n) not in only and (v := sequence(n))}
    texts = [str(value) for kind, value in inputs if kind == "str"]
    known = frozenset(form for text in texts if unusual(text) for form in disguises(text))
    return Examples(frozenset(inputs), frozenset(expected), known)


def sequence(node: ast.AST) -> Literal | None:
    """The value of a list, tuple or set of three or more literals, else None."""
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            values: list[tuple[str, object]] = [
                (type(item.value).__name__, item.value)
                for item in items
                if isinstance(item, ast.Constant)
            ]
            if len(values) < len(items) or len(values) < _SHORTEST_SEQUENCE:
                return None
            return ("set", frozenset(values)) if isinstance(node, ast.Set) else _sequence(values)
    return None


def _sequence(values: list[tuple[str, object]]) -> Literal:
    return "sequence", tuple(values)


def literal(node: ast.AST) -> Literal | None:
    """The value of a node that is a literal and no trivial one, else None."""
    match node:
        case ast.Constant(value=str() | bytes() | int() | float() as value):
            if isinstance(value, bool) or value in _TRIVIAL:
                return None
            small = isinstance(value, int | float) and abs(value) < 3
            return None if small else (type(value).__name__, value)
    return None


def literals(*nodes: ast.AST | None) -> frozenset[Literal]:
    """All literals in some syntax trees."""
    walked = (node for tree in nodes if tree is not None for node in ast.walk(tree))
    return frozenset(value for node in walked if (value := literal(node)) is not None)


def _expected(tree: ast.AST) -> Iterator[ast.AST]:
    """The constants that a test compares something with, and those in messages of errors."""
    for node in ast.walk(tree):
        match node:
            case ast.Assert(test=ast.Compare(left=left, comparators=others)):
                yield from (part for side in (left, *others) for part in _plain(side))
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) as call:
                if name in _ERRORS or _EXPECTING.fullmatch(name):
                    sides = (*call.args, *(k.value for k in call.keywords))
                    yield from (part for side in sides for part in _plain(side))


def _plain(side: ast.expr) -> Iterator[ast.AST]:
    """The constants of an expression that calls nothing."""
    nodes = list(ast.walk(side))
    if not any(isinstance(node, ast.Call) for node in nodes):
        yield from (node for node in nodes if isinstance(node, ast.Constant))


def _either(tree: ast.AST) -> Iterator[ast.AST]:
    """Values with a name and those of parameters: handed in or expected, nobody knows."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(value=value):
                yield value
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[_, values, *_]):
                yield values
