"""Rewrites test files so that their assertions are tried with other expected values.

The text is edited in place, so that it stays valid in every version of Python that it was valid in.
What an assertion compares is passed through the code in `inside`, which goes into each file under
names that are drawn anew for every content.
"""

from __future__ import annotations

import ast
import codecs
import io
import re
import tokenize
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from evaluator.languages.python.parsing import Function, last_name, parsed
from evaluator.languages.python.safeguards.assertions.inserted import Inserted
from evaluator.languages.python.sources.edits import SIGNS, Edits
from evaluator.test_names import defined_as

_MADE = frozenset({"bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"})
_DEDENT = frozenset({"dedent", "cleandoc"})


def is_constant(node: ast.expr) -> bool:
    """Whether an expression is made of constants only: a literal, or a text put together."""
    match node:
        case ast.Constant():
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return all(map(is_constant, parts))
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and is_constant(key) for key in keys) and all(
                map(is_constant, values)
            )
        case ast.UnaryOp(operand=operand):
            return is_constant(operand)
        case ast.BinOp(left=left, right=right):
            return is_constant(left) and is_constant(right)
        case ast.Call(func=function, args=arguments, keywords=[]):
            return _makes_a_constant(function) and all(map(is_constant, arguments))
    return False


def _makes_a_constant(function: ast.expr) -> bool:
    match function:
        case ast.Name(id=name):
            return name in _MADE | _DEDENT
        case ast.Attribute(value=value, attr=name):
            return name in _DEDENT or is_constant(value)
    return False


ASSERTIONS = re.compile(
    r"assert\w*|raises|warns|deprecated_call"
    r"|eq_\w*|(ne|in|not_in|ok)_|not_in|is_(not_?|true|false|none)?"
)
"""Names of functions that assert something."""
_TEXT_CALLS = frozenset({"startswith", "endswith"})
_CHAINS = frozenset({"assert_that", "expect"})
_TRUTH = frozenset({"assertTrue", "assertFalse", "assert_"})


@dataclass(frozen=True)
class Negated:
    """A rewritten test file, and the names of the functions that report what came of it."""

    content: bytes
    tests: frozenset[str]


def undefined(contents: Iterable[bytes], tests: Collection[str]) -> frozenset[str]:
    """The tests of which no function of some files has the name, or begins it."""
    trees = [tree for content in contents if (tree := parsed(content)) is not None]
    names = {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, Function)}
    return frozenset(test for test in tests if not defined_as(test, names))


def negated(
    content: bytes,
    tests: Collection[str],
    inserted: Inserted,
    made: Collection[str] = (),
) -> Negated:
    """A test file that tries its assertions.

    The functions of which `tests` are cases fail at their end, with what came of it as their
    message, and so do those that come by one of the names `made` otherwise; other functions do
    what they did. What is no Python of our version is left as it is.
    """
    text = _text(content)
    tree = parsed(text) if text is not None else None
    first = _first_statement(tree) if tree is not None else None
    if text is None or tree is None or first is None:
        return Negated(content, frozenset())
    edits = Edits(text.encode())
    names = {node.name for node in ast.walk(tree) if isinstance(node, Function)}
    visitor = _Visitor(edits, inserted.name, {defined_as(test, names) for test in tests})
    visitor.module(tree)
    edits.line_before(first, inserted.statement)
    if made:
        edits.at_end(f"{inserted.name}.made({sorted(made)!r}, globals())")
    result = edits.applied()
    if parsed(result) is None:
        return Negated(content, frozenset())
    return Negated(result, frozenset(visitor.found))


def _text(content: bytes) -> str | None:
    """A file that is the same in UTF-8, by whichever name it calls its encoding, else None."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = content.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return None
    return text if text.encode() == content.removeprefix(codecs.BOM_UTF8) else None


def _first_statement(tree: ast.Module) -> ast.stmt | None:
    """The one that a line may be put before: below documentation and `__future__`, if any is."""
    last_line = 0
    for place, node in enumerate(tree.body):
        documentation = place == 0 and isinstance(node, ast.Expr)
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if documentation or future:
            last_line = node.end_lineno or node.lineno
        elif node.lineno > last_line:
            return node
    return None


@dataclass
class _Visitor:
    """Finds what tests claim: in assertions, in calls that assert, in comparisons elsewhere."""

    edits: Edits
    name: str
    tests: Collection[str]
    found: set[str] = field(default_factory=set)
    within_test: bool = False

    def module(self, tree: ast.Module) -> None:
        """Visit everything in a file."""
        for node in tree.body:
            self._outside(node)

    def _outside(self, node: ast.AST) -> None:
        """What stands in a module or a class, or in a function that makes tests."""
        if isinstance(node, Function):
            before, is_test = self.within_test, node.name in self.tests and not self.within_test
            if is_test:
                self.found.add(node.name)
                self.edits.decorate(node, f"{self.name}.test")
                self._raising(node)
            self.within_test = before or is_test
            self._function(node)
            self.within_test = before
        elif isinstance(node, ast.expr):
            self._expression(node, compares=False)
        else:
            for child in ast.iter_child_nodes(node):
                self._outside(child)

    def _raising(self, node: Function) -> None:
        """The kinds of exceptions of which `@raises(X)` says that the test ends with one."""
        for each in filter(_is_raises, node.decorator_list):
            said = ", ".join(map(ast.unparse, (each.func, *each.args)))
            self.edits.decorate_all(node, f"{self.name}.raising({each.lineno}, {said})")

    def _function(self, node: Function) -> None:
        for part in _arguments(node.decorator_list):
            self._expression(part, compares=False)
        if not _is_special(node.name):
            for statement in node.body:
                self._statement(statement)

    def _statement(self, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._outside(node)
            case ast.Assert(test=test):
                self._condition(test)
            case ast.If(test=test, body=body, orelse=others):
                self._condition(test) if _fails(body) else self._expression(test)
                self._children([*body, *others])
            case ast.Try():
                self._exceptions(node)
                self._children(ast.iter_child_nodes(node))
            case ast.AnnAssign(value=value):
                self._children([value] if value else [])
            case ast.expr():
                self._expression(node)
            case _:
                self._children(ast.iter_child_nodes(node))

    def _exceptions(self, node: ast.Try) -> None:
        """The kinds of exceptions of which one must come, as the test fails otherwise."""
        kinds = [handler.type for handler in node.handlers if handler.type is not None]
        for kind in kinds if _must_raise(node.body, node.orelse) else ():
            # What stands behind `else` is not caught.
            self._wrap(kind, f"caught({kind.lineno}, {not node.orelse}, ")

    def _children(self, nodes: Iterator[ast.AST] | Sequence[ast.AST]) -> None:
        for node in nodes:
            self._statement(node)

    def _condition(self, node: ast.expr) -> None:
        """What an assertion says: it holds, and must not hold with other values."""
        match node:
            case ast.BoolOp(values=values):
                for value in values:
                    self._condition(value)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._condition(operand)
            case ast.Compare():
                self._compare(node, counted=True)
                self._inside(node)
            case ast.Yield() | ast.YieldFrom():
                self._inside(node)
            case _:
                self._wrap(node, f"truth({node.lineno}, ")
                self._expression(node, asserted=True)

    def _inside(self, node: ast.expr) -> None:
        for child in ast.iter_child_nodes(node):
            self._expression(child, asserted=True)

    def _expression(self, node: ast.AST, *, compares: bool = True, asserted: bool = False) -> None:
        """Any other expression; `compares` says whether its comparisons are claims, too."""
        if isinstance(node, ast.JoinedStr):
            return
        if isinstance(node, ast.Compare) and compares and (asserted or _is_equality(node)):
            self._compare(node, counted=False)
        if isinstance(node, ast.Call):
            self._call(node, compares=compares, asserted=asserted)
            return
        for child in ast.iter_child_nodes(node):
            self._expression(child, compares=compares, asserted=asserted)

    def _call(self, node: ast.Call, *, compares: bool, asserted: bool) -> None:
        name = last_name(node.func)
        if name in _TRUTH and node.args:
            counted = not _has_comparison(node.args[0])
            self._asserting(node, name, counted=counted)
            self._condition(node.args[0]) if not counted else self._inside(node)
            return
        if (
            ASSERTIONS.fullmatch(name)
            or _in_a_chain(node.func)
            or (asserted and name in _TEXT_CALLS)
        ):
            self._asserting(node, name, counted=True)
        kept = asserted or (compares and name in ("all", "any"))
        for child in ast.iter_child_nodes(node):
            self._expression(child, compares=kept, asserted=asserted)

    def _asserting(self, node: ast.Call, name: str, *, counted: bool) -> None:
        literals = [place for place, value in enumerate(node.args[:2]) if is_constant(value)]
        self._wrap(node.func, f"call({node.lineno}, {counted}, {literals}, {name!r}, ")

    def _compare(self, node: ast.Compare, *, counted: bool) -> None:
        operands = [node.left, *node.comparators]
        signs = [SIGNS[type(operator)] for operator in node.ops]
        places = [
            self.edits.sign(*pair) for pair in zip(operands, operands[1:], signs, strict=False)
        ]
        literals = [place for place, value in enumerate(operands) if is_constant(value)]
        if all(places):
            self._wrap(node, f"compare({node.lineno}, {counted}, {literals}, {signs}, ")
            for start, end in filter(None, places):
                self.edits.replace(start, end, ",")

    def _wrap(self, node: ast.expr, text: str) -> None:
        self.edits.before(node, f"{self.name}.{text}")
        self.edits.after(node, ")")


def _arguments(decorators: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """What decorators are called with; before Python 3.9, only a name may be called there.

    https://peps.python.org/pep-0614/
    """
    for decorator in decorators:
        if isinstance(decorator, ast.Call):
            yield from decorator.args
            yield from (keyword.value for keyword in decorator.keywords)


def _is_raises(decorator: ast.expr) -> TypeGuard[ast.Call]:
    """Whether it is nose's, or one like it, called with nothing but names of exceptions.

    https://nose.readthedocs.io/en/latest/testing_tools.html
    """
    match decorator:
        case ast.Call(func=function, args=[_, *_] as kinds, keywords=[]):
            return last_name(function) == "raises" and all(map(last_name, kinds))
    return False


def _in_a_chain(function: ast.expr) -> bool:
    """Whether it is called on what `assert_that(x)` or `expect(x)` gives, or on what that gives."""
    while isinstance(function, ast.Attribute) and isinstance(function.value, ast.Call):
        function = function.value.func
        if last_name(function) in _CHAINS:
            return True
    return False


def _is_special(name: str) -> bool:
    """Whether Python calls a method by itself, to compare objects for example."""
    return name.startswith("__") and name.endswith("__")


def _fails(body: Sequence[ast.stmt]) -> bool:
    """Whether a block ends by failing the test."""
    return isinstance(body[-1], ast.Raise) or _calls_fail(body[-1])


def _calls_fail(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=function)):
            return last_name(function) == "fail"
    return False


def _must_raise(body: Sequence[ast.stmt], others: Sequence[ast.stmt]) -> bool:
    """Whether a block that is tried fails the test at its end, or where no exception came."""
    return _fails_the_test((others or body)[-1]) and bool(others or body[:-1])


def _fails_the_test(statement: ast.stmt) -> bool:
    match statement:
        case ast.Raise(exc=ast.Call(func=kind)) | ast.Raise(exc=ast.Name() as kind):
            return last_name(kind) == AssertionError.__name__
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
    return _calls_fail(statement)


def _is_equality(node: ast.Compare) -> bool:
    return len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq)


def _has_comparison(node: ast.expr) -> bool:
    match node:
        case ast.BoolOp(values=values):
            return any(_has_comparison(value) for value in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _has_comparison(operand)
    return isinstance(node, ast.Compare)
