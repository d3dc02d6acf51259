"""Finds the assertions of tests, turns them round, and replaces nothing but them.

The idea of inverting is that of AssertFlip: a passing test is easier to write than one that fails
for the right reason, and one that runs to its last line has its imports and its set-up right.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from evaluator import PatchError
from evaluator.languages.python.blocks.code import parsed
from generator.replies import UnreadableReplyError

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


_PAIRS = (
    ("assertEqual", "assertNotEqual"),
    ("assertTrue", "assertFalse"),
    ("assertIs", "assertIsNot"),
    ("assertIsNone", "assertIsNotNone"),
    ("assertIn", "assertNotIn"),
    ("assertIsInstance", "assertNotIsInstance"),
    ("assertAlmostEqual", "assertNotAlmostEqual"),
    ("assertRegex", "assertNotRegex"),
    ("assertGreater", "assertLessEqual"),
    ("assertLess", "assertGreaterEqual"),
    ("assertContains", "assertNotContains"),
)
_ONE_WAY = dict.fromkeys(
    ("List", "Tuple", "Dict", "Set", "Sequence", "MultiLine"), "assertNotEqual"
)
_METHODS: Mapping[str, str] = {
    **{f"assert{kind}Equal": opposite for kind, opposite in _ONE_WAY.items()},
    **dict(_PAIRS),
    **{opposite: name for name, opposite in _PAIRS},
}
_OPERATORS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Lt: ">=",
    ast.GtE: "<",
    ast.Gt: "<=",
    ast.LtE: ">",
}

_SOLID = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Dict)


def flipped(assertion: Assertion) -> str:
    """The text of the opposite assertion, "" where there is no plain one.

    `assert a == b` becomes `assert a != b`, `assertTrue` becomes `assertFalse`, and a block that
    expects an exception becomes what stands in it.
    """
    node = parsed(assertion.text).body[0]
    match node:
        case ast.Assert():
            return f"assert {_negated(node.test, assertion.text)}"
        case ast.Expr(value=ast.Call() as call):
            return _other_method(call, assertion.text)
        case ast.With() | ast.AsyncWith():
            return _body(node, assertion.text)
    return ""


def _negated(test: ast.expr, text: str) -> str:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _part(operand, text)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return f"{_part(left, text)} {_OPERATORS[type(operator)]} {_part(right, text)}"
    return f"not ({_segment(test, text)})"


def _other_method(call: ast.Call, text: str) -> str:
    opposite = _METHODS.get(called(call), "")
    function = _segment(call.func, text)
    whole = _segment(call, text)
    if not opposite or not isinstance(call.func, ast.Attribute):
        return ""
    return f"{function.removesuffix(call.func.attr)}{opposite}{whole[len(function) :]}"


def _body(node: ast.With | ast.AsyncWith, text: str) -> str:
    """What stands in a block, moved to the left margin."""
    first, last = node.body[0], node.body[-1]
    if first.lineno == node.lineno:
        return "\n".join(_segment(statement, text) for statement in node.body)
    fixed = lines_in_strings(node)
    lines = enumerate(text.split("\n")[first.lineno - 1 : last.end_lineno], start=first.lineno)
    return "\n".join(
        line if number in fixed else line[first.col_offset :] for number, line in lines
    )


def _part(node: ast.expr, text: str) -> str:
    """One side of a comparison, in brackets unless it holds together without."""
    segment = _segment(node, text)
    return segment if isinstance(node, _SOLID) and "\n" not in segment else f"({segment})"


def _segment(node: ast.AST, text: str) -> str:
    return ast.get_source_segment(text, node) or ""


def replaced(code: str, tests: Collection[str], texts: Mapping[int, str]) -> str:
    """The code with the assertions of these numbers replaced, and every other byte as it was.

    What stands for an assertion must be assertions too; in the place of a block that expects an
    exception may also stand what the block holds, its value given a name or not. Raises
    UnreadableReplyError, saying which replacement is none, and PatchError for code that is no
    Python.
    """
    by_number = {assertion.number: assertion for assertion in assertions_of(code, tests)}
    unknown = sorted(texts.keys() - by_number.keys())
    if unknown:
        raise UnreadableReplyError(
            f"there is no assertion {unknown[0]}; they are numbered from 1 to {len(by_number)}"
        )
    content = code.encode()
    for number in sorted(texts, reverse=True):
        assertion = by_number[number]
        new = _indented(_checked(assertion, texts[number]), assertion)
        content = content[: assertion.start] + new.encode() + content[assertion.end :]
    result = content.decode()
    parsed(result)
    return result


def _checked(assertion: Assertion, text: str) -> str:
    try:
        statements = parsed(text).body
    except PatchError as error:
        raise _refused(assertion, f"is no valid Python: {error}") from error
    if not statements:
        raise _refused(assertion, "is empty")
    held = set(_held(assertion.node))
    for statement in statements:
        if not is_assertion(statement) and _without_name(statement) not in held:
            line = ast.unparse(statement).partition("\n")[0]
            raise _refused(assertion, f"holds `{line[:200]}`, which is no assertion")
    return text.strip("\n")


def _refused(assertion: Assertion, why: str) -> UnreadableReplyError:
    return UnreadableReplyError(f"the text for assertion {assertion.number} {why}")


def _held(node: ast.stmt) -> Iterator[str]:
    """The statements in a block that expects an exception, for comparison."""
    if isinstance(node, ast.With | ast.AsyncWith):
        yield from (_without_name(statement) for statement in node.body)


def _without_name(statement: ast.stmt) -> str:
    """A statement for comparison; `value = it()` is as good as `it()`."""
    names = isinstance(statement, ast.Assign) and all(
        isinstance(target, ast.Name) for target in statement.targets
    )
    kept = ast.Expr(statement.value) if isinstance(statement, ast.Assign) and names else statement
    return ast.dump(kept)


def _indented(text: str, assertion: Assertion) -> str:
    """The text moved to where the assertion stands; what is inside of strings is not moved."""
    first, *others = text.split("\n")
    if others and assertion.indent is None:
        raise _refused(assertion, "has several lines, for which there is no room in its line")
    fixed = lines_in_strings(parsed(text))
    moved = (
        line if number in fixed or not line.strip() else f"{assertion.indent}{line}"
        for number, line in enumerate(others, start=2)
    )
    return "\n".join([first, *moved])
