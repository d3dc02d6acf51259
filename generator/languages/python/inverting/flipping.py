"""Inverts an assertion mechanically, for where no model is left to say what would be right."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from generator.languages.python.inverting.assertions import Assertion, called, lines_in_strings

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
    node = ast.parse(assertion.text).body[0]
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
