"""Where the assertions of tests stand, to the byte."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from evaluator.languages.python.blocks.code import parsed

_BLOCKS = frozenset({"raises", "warns", "deprecated_call"})
_CALLS = frozenset({"fail", *_BLOCKS})

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Assertion:
    """One assertion of a test: a statement, or a whole `with` block that expects an exception.

    `number` counts from 1 in the code. `start` and `end` are offsets in its bytes (UTF-8), and
    `indent` the white space before it, None where something else stands before it in its line.
    """

    number: int
    test: str
    node: ast.stmt
    text: str
    start: int
    end: int
    indent: str | None

    @property
    def is_block(self) -> bool:
        """Whether it is a block that expects an exception or a warning."""
        return isinstance(self.node, ast.With | ast.AsyncWith)


def assertions_of(code: str, tests: Collection[str]) -> tuple[Assertion, ...]:
    """The assertions of the named tests (`Class.test_it`, `test_it`), in the order of the code.

    Raises PatchError for code that is no Python.
    """
    lines = code.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found = [
        (name, node)
        for name, function in _tests(parsed(code))
        if name in tests
        for node in _asserting(function.body)
    ]
    return tuple(
        _assertion(number, name, node, lines, starts)
        for number, (name, node) in enumerate(found, start=1)
    )


def new_tests(before: str, after: str) -> frozenset[str]:
    """The tests of a file that it did not have before, or not like this. Raises PatchError."""
    old = {name: ast.dump(node) for name, node in _tests(parsed(before))}
    return frozenset(n for n, node in _tests(parsed(after)) if old.get(n) != ast.dump(node))


def is_assertion(node: ast.stmt) -> bool:
    """Whether a statement does nothing but assert."""
    if isinstance(node, ast.With | ast.AsyncWith):
        return all(_asserts(item.context_expr, _BLOCKS) for item in node.items)
    if isinstance(node, ast.Expr):
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        return _asserts(value, _CALLS)
    return isinstance(node, ast.Assert)


def called(node: ast.expr) -> str:
    """The last name of what is called, "" where there is none."""
    function = node.func if isinstance(node, ast.Call) else node
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def lines_in_strings(tree: ast.AST) -> frozenset[int]:
    """The numbers of the lines that begin within a string, and must not be moved."""
    strings = (n for n in ast.walk(tree) if isinstance(n, ast.Constant | ast.JoinedStr))
    return frozenset(
        line
        for node in strings
        for line in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
    )


def _asserts(node: ast.expr, others: Collection[str]) -> bool:
    name = called(node) if isinstance(node, ast.Call) else ""
    return name.startswith("assert") or name in others


def _tests(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            functions = [inner for inner in node.body if isinstance(inner, Function)]
            yield from ((f"{node.name}.{inner.name}", inner) for inner in functions if _runs(inner))
        elif isinstance(node, Function) and _runs(node):
            yield node.name, node


def _runs(function: Function) -> bool:
    return function.name.lower().startswith("test")


def _asserting(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if is_assertion(node):
            yield node
        elif not isinstance(node, Function | ast.ClassDef):
            for inner in _bodies(node):
                yield from _asserting(inner)


def _bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(node, name, [])
    for handler in getattr(node, "handlers", []):
        yield handler.body


def _assertion(
    number: int, test: str, node: ast.stmt, lines: list[bytes], starts: list[int]
) -> Assertion:
    start = starts[node.lineno - 1] + node.col_offset
    end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
    before = lines[node.lineno - 1][: node.col_offset].decode()
    text = b"".join(lines)[start:end].decode()
    return Assertion(number, test, node, text, start, end, before if not before.strip() else None)
