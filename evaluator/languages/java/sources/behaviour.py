"""What a Java file does, where it has code, and which files are data of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tree_sitter import Node

from evaluator.diff import Source
from evaluator.languages.java.sources.declarations import METHODS
from evaluator.languages.java.syntax import field, first_line, last_line, parsed, text, walk

_COMMENTS = frozenset({"line_comment", "block_comment"})
_RESOURCES = re.compile(r"(?:.*/)?src/main/(?!java/)[^/]+/.*")
_STATEMENTS = frozenset(
    {"expression_statement", "return_statement", "throw_statement", "assert_statement"}
    | {"break_statement", "continue_statement", "yield_statement", "if_statement"}
    | {"while_statement", "for_statement", "enhanced_for_statement", "switch_expression"}
    | {"synchronized_statement", "explicit_constructor_invocation", "resource", "catch_clause"}
)
_CALLS = frozenset({"object_creation_expression", "array_creation_expression", "enum_constant"})
_CONSTANT = re.compile(r"\w+_literal|true|false")
_LEAVING = frozenset({"return_statement", "throw_statement"})


def behaviour(content: bytes) -> str | None:
    """The words of a file without comments and layout; None for what is no valid Java."""
    root = parsed(content)
    if root is None or root.has_error:
        return None
    return words(root)


def words(node: Node) -> str:
    """The words of a part of a file without comments and layout."""
    parts = (part for part in walk(node) if not part.children and part.type not in _COMMENTS)
    return "\0".join(text(part) for part in parts)


def is_data(path: str, source: Source) -> bool:  # noqa: ARG001 - as of any language
    """Whether a file is packed with the classes, so that they can read it."""
    return _RESOURCES.fullmatch(path) is not None


def executable_lines(
    path: str,  # noqa: ARG001 - as of any language
    content: bytes,
    lines: Collection[int],
) -> Collection[int]:
    """Those of some lines for which compilers write code, as the syntax shows it.

    All of them for a file that takes too long to read.
    """
    root = parsed(content)
    return lines if root is None else set(lines).intersection(_lines_with_code(root))


def _lines_with_code(root: Node) -> Iterator[int]:
    for node in walk(root):
        if node.type in _STATEMENTS or node.type in _CALLS:
            yield first_line(node)
        elif node.type == "method_invocation":
            yield first_line(field(node, "name") or node)
        elif node.type == "variable_declarator" and _is_computed(node):
            yield first_line(node)
        elif node.type == "lambda_expression":
            yield from _of_lambda(node)
        elif node.type == "ternary_expression":
            yield from (first_line(part) for part in node.named_children[1:])
        elif node.type in METHODS:
            yield from _end(node)


def _is_computed(declarator: Node) -> bool:
    """Whether a variable is set where it is declared; constants are copied by compilers."""
    value, around = field(declarator, "value"), declarator.parent
    if value is None or around is None:
        return False
    constant = "final" in text(around.child(0)).split() and _CONSTANT.fullmatch(value.type)
    return not (constant and around.type in ("field_declaration", "constant_declaration"))


def _of_lambda(node: Node) -> Iterator[int]:
    body = field(node, "body")
    if body is not None and body.type != "block":
        yield first_line(body)


def _end(method: Node) -> Iterator[int]:
    """The last line of what returns without saying so."""
    body = field(method, "body")
    if body is None or text(field(method, "type")) not in ("void", ""):
        return
    if not body.named_children or body.named_children[-1].type not in _LEAVING:
        yield last_line(body)
