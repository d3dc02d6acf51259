"""Which expressions stand for the same value whatever the code under test does."""

from __future__ import annotations

import ast

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
