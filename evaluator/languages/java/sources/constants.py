"""Values that code holds, also where they are put together: `"a" + "b"`, `3 * 3`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping

from tree_sitter import Node

from evaluator.languages.java.sources.test_code import texts_in
from evaluator.languages.java.syntax import field, found, text

_NUMBERS = ("decimal_integer_literal", "hex_integer_literal", "decimal_floating_point_literal")
_SUMS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_DEEPEST = 20


def literals(node: Node) -> Iterator[str]:
    """The texts and numbers in a part of a file, the latter in their decimal form."""
    yield from texts_in(node)
    yield from (_decimal(literal) for literal in found(node, *_NUMBERS))


def composed(node: Node) -> Iterator[str]:
    """What the sums of texts, or of whole numbers, in a part of a file come to."""
    yield from (value for each in found(node, "binary_expression") for value in _sums(each))


def placed(node: Node) -> Iterator[tuple[Node, str]]:
    """All of these, each with the part of the file that it is the value of."""
    for part in found(node, "string_literal", "binary_expression", *_NUMBERS):
        values = _sums(part) if part.type == "binary_expression" else literals(part)
        yield from ((part, value) for value in values)


def _sums(expression: Node) -> Iterator[str]:
    value = _value(expression)
    if value is not None:
        yield str(value)


def _decimal(literal: Node) -> str:
    digits = text(literal).lower().replace("_", "").rstrip("l")
    hexadecimal = literal.type == "hex_integer_literal"
    return str(int(digits, 16)) if hexadecimal else digits.rstrip("fd")


def _value(node: Node | None, depth: int = _DEEPEST) -> str | int | None:
    """The value of an expression of literals; None for any other."""
    if node is None or depth == 0:
        return None
    match node.type:
        case "parenthesized_expression":
            return _value(node.named_children[0], depth - 1)
        case "string_literal":
            return next(texts_in(node), "")
        case "decimal_integer_literal" | "hex_integer_literal":
            return int(_decimal(node))
        case "binary_expression":
            return _sum(node, depth)
    return None


def _sum(node: Node, depth: int) -> str | int | None:
    sign = text(field(node, "operator"))
    if sign not in _SUMS:
        return None
    first = _value(field(node, "left"), depth - 1)
    # Long sums of other things are not read to their ends.
    second = None if first is None else _value(field(node, "right"), depth - 1)
    match [first, second]:
        case [int(left), int(right)]:
            return _SUMS[sign](left, right)
        case [str(left), str() | int() as right] if sign == "+":
            return f"{left}{right}"
        case [int(left), str(right)] if sign == "+":
            return f"{left}{right}"
    return None
