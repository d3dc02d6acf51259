"""Code that asks how often it was called, or how long ago it was loaded.

A test runs in a young process, and calls little before it. What a module counts for itself tells it
so as well as the name of the test would, and needs none of the names that are watched.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.languages.python.parsing import Function
from evaluator.languages.python.sources.difference import AddedStatements

_CLOCKS = frozenset({"time", "monotonic", "perf_counter", "process_time", "thread_time"})
_CLOCKS |= {f"{name}_ns" for name in _CLOCKS}
_Question = ast.Compare | ast.If | ast.IfExp | ast.While


def counts(part: AddedStatements) -> Iterator[str]:
    """What questions in some statements ask of that the module counts."""
    kept = _kept(part)
    for node in ast.walk(part.statements):
        if isinstance(node, _Question):
            asked = node if isinstance(node, ast.Compare) else node.test
            yield from (what for inner in ast.walk(asked) for what in kept.asked_by(inner))


@dataclass(frozen=True)
class _Kept:
    """The variables of a module that count calls, by how they do, and those that hold a time."""

    counters: frozenset[str]
    tallies: frozenset[str]
    numbers: frozenset[str]
    times: frozenset[str]

    def asked_by(self, node: ast.AST) -> Iterator[str]:
        """What an expression reads of these."""
        match node:
            case ast.Call(func=ast.Name(id="next"), args=[ast.Name(id=name), *_]):
                yield from _calls(name, self.counters)
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
                yield from _calls(name, self.tallies)
            case ast.Name(id=name):
                yield from _calls(name, self.numbers)
                if name in self.times:
                    yield f"the time since {name}"


def _calls(name: str, counting: frozenset[str]) -> Iterator[str]:
    if name in counting:
        yield f"how often it was called, in {name}"


def _kept(part: AddedStatements) -> _Kept:
    values = dict(_values(part.imports))
    return _Kept(
        counters=frozenset(name for name, value in values.items() if _is_called(value, {"count"})),
        tallies=frozenset(_tallies(part.statements)).intersection(values),
        numbers=frozenset(_numbers(part.statements)).intersection(values),
        times=frozenset(name for name, value in values.items() if _tells_the_time(value)),
    )


def _values(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The variables of a module, and what they begin with."""
    for statement in module.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value


def _tells_the_time(value: ast.expr) -> bool:
    return any(_is_called(node, _CLOCKS) for node in ast.walk(value))


def _is_called(node: ast.AST, names: frozenset[str] | set[str]) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in names
    return False


def _tallies(tree: ast.AST) -> Iterator[str]:
    """Lists that constants are put into: only how many they are can matter."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[ast.Constant()]
            ):
                yield name


def _numbers(tree: ast.AST) -> Iterator[str]:
    """Variables of the module that a function adds to."""
    for function in (node for node in ast.walk(tree) if isinstance(node, Function)):
        nodes = list(ast.walk(function))
        shared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        for node in nodes:
            match node:
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()) if name in shared:
                    yield name
