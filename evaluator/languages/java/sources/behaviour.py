"""What a Java file does, where it has code, and which files are data of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tree_sitter import Node

from evaluator.diff import Source
from evaluator.languages.java.sources.declarations import (
    METHODS,
    declarations,
    is_set_up_at_loading,
)
from evaluator.languages.java.syntax import field, first_line, found, last_line, parsed, text, walk

_COMMENTS = frozenset({"line_comment", "block_comment"})
_RESOURCES = re.compile(r"(?:.*/)?src/main/(?!java/)[^/]+/.*")
_STATEMENTS = frozenset(
    {"expression_statement", "return_statement", "throw_statement", "assert_statement"}
    | {"break_statement", "continue_statement", "yield_statement", "if_statement"}
    | {"while_statement", "for_statement", "enhanced_for_statement", "switch_expression"}
    | {"synchronized_statement", "explicit_constructor_invocation", "resource", "catch_clause"}
)
_VALUE = re.compile(r"\w+_literal|true|false")
_CONSTANT = frozenset({"unary_expression", "binary_expression", "parenthesized_expression"})
_LEAVING = frozenset(
    {"return_statement", "throw_statement", "break_statement", "continue_statement"}
    | {"yield_statement"}
)
_BLOCKS = frozenset({"block", "constructor_body"})
_CLASSES = frozenset({"class_declaration", "enum_declaration", "record_declaration"})
_CONSTRUCTORS = frozenset({"constructor_declaration", "compact_constructor_declaration"})


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


def loading_lines(content: bytes) -> Collection[int]:
    """The lines with code of static fields and initializers, and of the constants of enums."""
    root = parsed(content)
    if root is None:
        return ()
    shared = [each.node for each in declarations(root) if is_set_up_at_loading(each.node)]
    called = found(root, *METHODS, "lambda_expression")
    methods = {line for each in called for line in _lines_with_code(each)}
    return {line for node in shared for line in _lines_with_code(node)} - methods


def _lines_with_code(root: Node) -> Iterator[int]:
    """As OpenJDK's compiler has them in its LineNumberTable, but for calls that it adds itself."""
    return (line for node in walk(root) for part in _PARTS for line in part(node))


def _of_statement(node: Node) -> Iterator[int]:
    if (node.type in _STATEMENTS or node.type == "enum_constant") and not _is_endless(node):
        yield first_line(node)
    elif node.type == "do_statement":
        yield first_line(field(node, "condition") or node)


def _of_expression(node: Node) -> Iterator[int]:
    if node.type == "method_invocation":
        yield first_line(field(node, "name") or node)
    elif node.type == "ternary_expression":
        yield from (first_line(part) for part in node.named_children[1:])
    elif node.type == "object_creation_expression" and _has(node, "class_body"):
        yield first_line(node)
    elif node.type == "lambda_expression":
        body = field(node, "body")
        if body is not None:
            yield from _end(body) if body.type == "block" else (first_line(body),)


def _of_variable(node: Node) -> Iterator[int]:
    """A field is set where its declaration begins, another variable where its name stands."""
    if node.type == "variable_declarator" and field(node, "value") is not None:
        around = node.parent or node
        if around.type not in ("field_declaration", "constant_declaration"):
            yield first_line(node)
        elif not _is_constant(node, around):
            yield first_line(around)


def _is_constant(declarator: Node, around: Node) -> bool:
    """Whether compilers copy the value of a field to where it is used."""
    words = set(text(around.child(0)).split())
    shared = around.type == "constant_declaration" or {"static", "final"} <= words
    return shared and _is_value(field(declarator, "value"))


def _is_value(node: Node | None) -> bool:
    if node is None or not node.named_children:
        return node is not None and _VALUE.fullmatch(node.type) is not None
    literal = node.type == "string_literal"
    return literal or (node.type in _CONSTANT and all(map(_is_value, node.named_children)))


def _of_method(node: Node) -> Iterator[int]:
    body = field(node, "body") if node.type in METHODS else None
    if body is None:
        return
    if node.type in _CONSTRUCTORS and not _has(body, "explicit_constructor_invocation"):
        yield first_line(body)
    if text(field(node, "type")) in ("void", ""):
        yield from _end(body)


def _of_class(node: Node) -> Iterator[int]:
    """What is written for an enum or a record, and the constructor of a class that has none."""
    if node.type in _CLASSES:
        body = field(node, "body")
        if node.type != "class_declaration" or body is None or not _has(body, *_CONSTRUCTORS):
            yield first_line(field(node, "name") or node)


def _of_end(node: Node) -> Iterator[int]:
    """Where variables of a block end before a jump, and where a `try` is left."""
    if node.type == "block" and _has(node, "local_variable_declaration") and _is_left(node):
        yield from _end(node)
    elif node.type == "try_statement" and not _leaves(field(node, "body")):
        yield last_line(node)


def _is_left(block: Node) -> bool:
    """Whether a jump without a line of its own follows a block."""
    around = block.parent or block
    if around.type == "if_statement":
        return block == field(around, "consequence") and field(around, "alternative") is not None
    if around.type == "for_statement":
        return field(around, "update") is None
    return around.type == "while_statement"


def _end(block: Node | None) -> Iterator[int]:
    """The last line of a block that runs to its end."""
    if block is not None and block.type in _BLOCKS and not _leaves(block):
        yield last_line(block)


def _leaves(node: Node | None, depth: int = 30) -> bool:
    """Whether a statement never runs to its end, as far as it is not nested too deep to see."""
    if node is None or depth == 0:
        return False
    if node.type in _BLOCKS:
        statements = [child for child in node.named_children if child.type not in _COMMENTS]
        return bool(statements) and _leaves(statements[-1], depth - 1)
    if node.type == "if_statement":
        parts = (field(node, "consequence"), field(node, "alternative"))
        return all(_leaves(part, depth - 1) for part in parts)
    if node.type == "try_statement":
        caught = (child for child in node.named_children if child.type == "catch_clause")
        return all(_leaves(field(part, "body"), depth - 1) for part in (node, *caught))
    return node.type in _LEAVING or (_is_endless(node) and not any(found(node, "break_statement")))


def _is_endless(loop: Node) -> bool:
    """Whether a loop has no condition: no code is written for its first line."""
    if loop.type == "for_statement":
        return not any(field(loop, name) for name in ("init", "condition", "update"))
    return loop.type == "while_statement" and text(field(loop, "condition")) == "(true)"


def _has(node: Node, *types: str) -> bool:
    return any(child.type in types for child in node.named_children)


_PARTS = (_of_statement, _of_expression, _of_variable, _of_method, _of_class, _of_end)
