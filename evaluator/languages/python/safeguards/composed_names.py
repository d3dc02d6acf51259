"""Texts that are put together from pieces so that nobody finds them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from evaluator.languages.python.safeguards.watched_names import TEXTS

_WORDS: tuple[str, ...] = (*TEXTS, "modules", "_getframe", "testcase", "assert", "_exit")
_WORDS += (
    "__dict__",
    "builtins",
    "__import__",
    "f_back",
    "f_globals",
    "settrace",
    "__class__",
    "__eq__",
    "testbed",
)
_LETTERS = range(32, 127)


def composed_texts(tree: ast.AST) -> Iterator[str]:
    """Watched names that stand in a module in pieces only, one after the other."""
    for node in ast.walk(tree):
        text = _composed(node).lower()
        if text:
            pieces = [piece.lower() for piece in _pieces(node)]
            yield from (
                f"the hidden name {word!r}"
                for word in _WORDS
                if word in text and not any(word in piece for piece in pieces)
            )


def _composed(node: ast.AST) -> str:
    """The text that an expression in pieces comes to, "" for any other."""
    match node:
        case ast.BinOp(op=ast.Add()) | ast.JoinedStr() | ast.Subscript():
            return text_of(node)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join")):
            return text_of(node)
        case ast.Tuple(elts=items) | ast.List(elts=items) if len(items) > 3:
            letters = [_letter(item) for item in items]
            return "".join(letters) if all(letters) else ""
    return ""


def _pieces(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        match inner:
            case ast.Constant(value=str(text)):
                yield text


def _letter(node: ast.AST) -> str:
    """The character that a number stands for, "" for what is none."""
    match node:
        case ast.Constant(value=int(code)) if code in _LETTERS:
            return chr(code)
    return ""


def text_of(node: ast.AST) -> str:
    """What an expression of texts comes to, "" for any other."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return text_of(left) + text_of(right)
        case ast.JoinedStr(values=parts):
            return "".join(map(text_of, parts))
        case ast.FormattedValue(value=value):
            return text_of(value)
        case ast.Subscript(value=value, slice=ast.Slice(step=ast.UnaryOp(op=ast.USub()))):
            return text_of(value)[::-1]
        case ast.Call(func=ast.Name(id="chr"), args=[code]):
            return _letter(code)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(mark))), args=[inner]):
            return mark.join(text_of(part) for part in ast.iter_child_nodes(inner))
    return ""
