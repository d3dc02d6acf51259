"""What the code of tests says: the names that they use, and what they assert."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from evaluator.diff import Source
from evaluator.languages.python.parsing import Function, parsed
from evaluator.model import TestOutcome, Transition
from evaluator.test_names import function_of


def literal_texts(trees: Iterable[ast.AST]) -> Iterator[str]:
    """The literal texts in some trees."""
    for tree in trees:
        for node in ast.walk(tree):
            match node:
                case ast.Constant(value=str(text)):
                    yield text


def functions(tree: ast.AST) -> Iterator[Function]:
    """The functions of a module, methods and inner functions too."""
    yield from (node for node in ast.walk(tree) if isinstance(node, Function))


def is_test_function(function: Function) -> bool:
    """Whether a function is named as a test, and is no fixture."""
    fixture = any("fixture" in ast.dump(decorator) for decorator in function.decorator_list)
    return function.name.startswith("test") and not fixture


def holds(node: ast.AST, line: int) -> bool:
    """Whether a line, counted from 1, is one of a node's."""
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", None) or 0
    return first <= line <= last


_TEST = re.compile(rb"^[ \t]*(?:async[ \t]+)?def[ \t]+test", re.MULTILINE)


def count_tests(content: bytes) -> int:
    """How many functions of a file are named as tests."""
    return len(_TEST.findall(content))


def subject_of(path: str) -> str:
    """What a test file is named for: `foo` for `test_foo.py`, `foo_test.py` and `foo_tests.py`."""
    stem = PurePosixPath(path).stem
    return stem.removeprefix("test_").removesuffix("_test").removesuffix("_tests")


def names_used(outcome: TestOutcome, source: Source) -> frozenset[str]:
    """Every name in a test's function and in what its class sets up for it.

    Those of the whole file where the function is not found there, none where there is no code.
    """
    tree = _tree(outcome, source)
    if tree is None:
        return frozenset()
    parts = list(_parts(tree, function_of(outcome.test))) or [tree]
    return frozenset(name for part in parts for name in _names(part))


def compared(outcome: TestOutcome, source: Source) -> tuple[tuple[str, ...], ...]:
    """The sides of the assertions in the test that may have failed, as code.

    That is one assertion where the line of the failure is known, else all of the test's function.
    For a name that the function sets stands what it was set to.
    """
    found, line = _functions(outcome, source)
    return tuple(
        tuple(_resolved(side, _assigned(function, side.lineno)) for side in _sides(node))
        for function in found
        for node in ast.walk(function)
        if (line is None or holds(node, line)) and _sides(node)
    )


def only_negative(outcome: TestOutcome, source: Source) -> bool:
    """Whether a test says only what must not be: a value, or an error.

    Any other behaviour satisfies it, a wrong one too. What counts is the assertion that failed, or
    all of the test's function where it failed otherwise.
    """
    found, line = _functions(outcome, source)
    nodes = [node for function in found for node in ast.walk(function) if _asserts(node)]
    failed = [node for node in nodes if line is not None and holds(node, line)]
    return bool(found) and all(_denies(node) for node in failed or nodes)


def texts(test: TestOutcome | Transition, source: Source) -> Iterator[str]:
    """The literal texts in a test's function."""
    tree = parsed(source(test.file) or b"")
    for function in functions(tree) if tree is not None else ():
        if function.name == function_of(test.test):
            yield from literal_texts([function])


def _functions(outcome: TestOutcome, source: Source) -> tuple[list[Function], int | None]:
    """The functions of the test's file that failed, and the line in them where that is known."""
    tree, frame = _tree(outcome, source), outcome.failure.frame if outcome.failure else None
    line = frame.line if frame is not None and frame.path == outcome.file else None
    known = () if tree is None else functions(tree)
    return [function for function in known if _is_meant(function, outcome, line)], line


def _asserts(node: ast.AST) -> bool:
    """Whether it is an assertion, a block that must raise or warn, or an explicit failure."""
    match node:
        case ast.With(items=items):
            return any(_is_expectation(item.context_expr) for item in items)
        case ast.Assert() | ast.Raise():
            return True
        case ast.Expr(value=ast.Call() as call):
            return _is_expectation(call)
    return False


_EXPECTATION = re.compile(r"_?(assert|check|verify|expect)|raises$|warns$|fail$|deprecated_call$")


def _is_expectation(called: ast.expr) -> bool:
    match called:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return _EXPECTATION.match(name) is not None
    return False


_DENYING = frozenset(
    {"NotEqual", "NotEquals", "NotAlmostEqual", "NotIn", "IsNot", "IsNotNone", "NotRegex"}
    | {"NotContains", "NotIsInstance"}
)
"""What follows `assert` in the methods of unittest and Django that say what must not be."""


def _denies(assertion: ast.AST) -> bool:
    match assertion:
        case ast.Assert(test=ast.Compare(ops=[ast.NotEq() | ast.NotIn() | ast.IsNot()])):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
            return name.removeprefix("assert") in _DENYING
    return False


def _is_meant(function: Function, outcome: TestOutcome, line: int | None) -> bool:
    return function.name == function_of(outcome.test) if line is None else holds(function, line)


def _tree(outcome: TestOutcome, source: Source) -> ast.AST | None:
    """The tree of a test's file; None where there is none, or no Python of our own version."""
    content = source(outcome.file) if outcome.file else None
    return None if content is None else parsed(content)


def _parts(tree: ast.AST, function: str) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        members = [child for child in ast.iter_child_nodes(node) if isinstance(child, Function)]
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


def _sides(node: ast.AST) -> tuple[ast.expr, ...]:
    match node:
        case ast.Assert(test=ast.Compare(left=left, comparators=[right])):
            return left, right
        case ast.Assert(test=test):
            return (test,)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=args)) if name.startswith(
            "assert"
        ):
            return tuple(args[:2])
    return ()


def _assigned(function: ast.AST, line: int) -> Mapping[str, ast.expr]:
    """What each name was last set to before a line."""
    found: dict[str, ast.expr] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if node.lineno < line:
                found[name] = value
    return found


def _resolved(side: ast.expr, assigned: Mapping[str, ast.expr]) -> str:
    value = assigned.get(side.id, side) if isinstance(side, ast.Name) else side
    return ast.unparse(value)
