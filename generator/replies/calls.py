"""Calls such as `search_class("Field")` that models write into their prose."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.replies.literals import expression
from generator.replies.text import answer_of

MOST_CALLS = 20
"""Calls of one reply that are read."""

_START = re.compile(r"\b(?P<name>(?:search|get)_\w{1,60})\(")
_LONGEST_CALL = 2_000
_MOST_ENDS = 20


@dataclass(frozen=True)
class WrittenCall:
    """A call as written: positional arguments and named ones, texts and whole numbers only."""

    name: str
    arguments: tuple[str | int, ...] = ()
    named: tuple[tuple[str, str | int], ...] = ()

    def __str__(self) -> str:
        written = [*map(repr, self.arguments), *(f"{name}={value!r}" for name, value in self.named)]
        return f"{self.name}({', '.join(written)})"


def read_calls(reply: str) -> tuple[WrittenCall, ...]:
    """The calls of functions named `search_...` or `get_...` in a reply, each once, in order.

    A bare name for an argument counts as the text of it; what is no call of literals (a signature
    in prose, `search_class(class_name: str)`) is passed over.
    """
    answer = answer_of(reply)
    found = (_call(answer, match) for match in _START.finditer(answer))
    return tuple(dict.fromkeys(call for call in found if call is not None))[:MOST_CALLS]


def _call(answer: str, match: re.Match[str]) -> WrittenCall | None:
    for end in _ends(answer, match.end()):
        node = expression(answer[match.start() : end])
        if isinstance(node, ast.Call):
            return _read(match["name"], node)
    return None


def _ends(answer: str, start: int) -> Iterator[int]:
    """The places behind the next closing brackets."""
    limit = start + _LONGEST_CALL
    for _ in range(_MOST_ENDS):
        start = answer.find(")", start, limit) + 1
        if start == 0:
            return
        yield start


def _read(name: str, node: ast.Call) -> WrittenCall | None:
    arguments = [_value(argument) for argument in node.args]
    named = [(keyword.arg, _value(keyword.value)) for keyword in node.keywords]
    if None in arguments or any(None in pair for pair in named):
        return None
    return WrittenCall(
        name,
        tuple(value for value in arguments if value is not None),
        tuple((key, value) for key, value in named if key is not None and value is not None),
    )


def _value(node: ast.expr) -> str | int | None:
    if isinstance(node, ast.Name | ast.Attribute):
        return ast.unparse(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int):
        return node.value
    return None
