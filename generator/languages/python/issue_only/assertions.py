"""Assertions as methods of `unittest.TestCase`, whose messages show the values.

A bare `assert` fails there without a message: only pytest rewrites it to say what was compared.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from evaluator.languages.python.parsing import parsed

_METHODS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "assertEqual",
    ast.NotEq: "assertNotEqual",
    ast.In: "assertIn",
    ast.NotIn: "assertNotIn",
    ast.Is: "assertIs",
    ast.IsNot: "assertIsNot",
    ast.Lt: "assertLess",
    ast.LtE: "assertLessEqual",
    ast.Gt: "assertGreater",
    ast.GtE: "assertGreaterEqual",
}


def as_method(statement: str) -> str:
    """A statement of a test method: a plain `assert` as a call, anything else as it is."""
    tree = parsed(statement)
    match tree.body if tree is not None else []:
        case [ast.Assert(test=test, msg=None)]:
            return _call(test, statement)
    return statement


def _call(test: ast.expr, source: str) -> str:
    match test:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            sides = f"{_code(left, source)}, {_code(right, source)}"
            return f"self.{_METHODS[type(operator)]}({sides})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"self.assertFalse({_code(operand, source)})"
    return f"self.assertTrue({_code(test, source)})"


def _code(node: ast.expr, source: str) -> str:
    return ast.get_source_segment(source, node) or ast.unparse(node)
