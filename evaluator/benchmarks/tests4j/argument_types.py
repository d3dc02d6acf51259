"""The types of expressions, as far as the text of a test shows them.

Those of literals, casts, variables, what is made on the spot, and what methods of the test's own
classes return are known. Types are erased and without packages, as in `String[]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

from evaluator.benchmarks.tests4j.java_files import JavaMethod, erased
from evaluator.languages.java.syntax import field, found, text

UNKNOWN, NULL, FUNCTION = "", "null", "->"
"""Types of what the text does not show, of `null`, and of lambdas and method references."""
_LITERALS = {
    "string_literal": "String",
    "character_literal": "char",
    "true": "boolean",
    "false": "boolean",
    "instanceof_expression": "boolean",
    "null_literal": NULL,
    "class_literal": "Class",
    "lambda_expression": FUNCTION,
    "method_reference": FUNCTION,
}
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_DECLARATIONS = (
    *("field_declaration", "local_variable_declaration"),
    *("formal_parameter", "enhanced_for_statement", "resource"),
)


def variables(*nodes: Node) -> Mapping[str, str]:
    """The types of what nodes declare: fields, local variables, parameters; later ones count."""
    known: dict[str, str] = {}
    for node in nodes:
        for declared in found(node, *_DECLARATIONS):
            known |= dict(_declared(declared, known))
    return known


def returned(methods: Iterable[JavaMethod]) -> Mapping[str, str]:
    """What methods return, by names such as `size()`."""
    types = {each.name: field(each.node, "type") for each in methods}
    return {f"{name}()": UNKNOWN if kind is None else erased(kind) for name, kind in types.items()}


def _declared(declared: Node, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    kind = field(declared, "type")
    listed = [each for each in declared.named_children if each.type == "variable_declarator"]
    for each in listed or [declared]:
        value, brackets = field(each, "value"), text(field(each, "dimensions")).count("[")
        if text(kind) != "var":
            shown = UNKNOWN if kind is None else erased(kind) + "[]" * brackets
        else:
            shown = UNKNOWN if value is None or not listed else type_of(value, known)
        yield text(field(each, "name")), shown


def type_of(expression: Node, known: Mapping[str, str]) -> str:
    """The type of an expression, with those of variables and own methods known.

    `UNKNOWN` where it is not shown.
    """
    if expression.type in _LITERALS:
        return _LITERALS[expression.type]
    match expression.type:
        case "identifier":
            return known.get(text(expression), UNKNOWN)
        case "method_invocation" if field(expression, "object") is None:
            return known.get(f"{text(field(expression, 'name'))}()", UNKNOWN)
        case "object_creation_expression" | "cast_expression" | "array_creation_expression":
            return _made(expression)
        case "parenthesized_expression":
            return type_of(expression.named_children[0], known)
        case "unary_expression":
            operand = field(expression, "operand")
            return UNKNOWN if operand is None else type_of(operand, known)
        case "binary_expression":
            return _of_operands(expression, known)
    return _number(expression)


def _made(expression: Node) -> str:
    kind = field(expression, "type")
    sizes = sum(each.type == "dimensions_expr" for each in expression.children)
    empty = sum(text(e).count("[") for e in expression.children if e.type == "dimensions")
    return UNKNOWN if kind is None else erased(kind) + "[]" * (sizes + empty)


def _of_operands(expression: Node, known: Mapping[str, str]) -> str:
    operator = text(field(expression, "operator"))
    if operator in _COMPARISONS:
        return "boolean"
    operands = (field(expression, "left"), field(expression, "right"))
    types = {UNKNOWN if each is None else type_of(each, known) for each in operands}
    if operator == "+" and "String" in types:
        return "String"
    return types.pop() if len(types) == 1 else UNKNOWN


def _number(expression: Node) -> str:
    written = text(expression).lower()
    if expression.type == "decimal_floating_point_literal":
        return "float" if written.endswith("f") else "double"
    if expression.type.endswith("_integer_literal"):
        return "long" if written.endswith("l") else "int"
    return UNKNOWN
