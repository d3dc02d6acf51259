"""Reads blocks of code without prompts, in which output may stand between the statements."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Sequence

from evaluator.languages.python.parsing import parsed
from generator.languages.python.notation.statements import readable, statements
from generator.report_text import Statement

_OUTPUT_MARK = re.compile(
    r"^\s*(?:Out ?\[\d*\]|Outputs?|Results?|Prints?|Returns?)\s*:\s*", re.IGNORECASE
)
_TRACEBACK = re.compile(r"^\s*(?:Traceback \(most recent|-{20,}\s*$|\w+(?:Error|Exception)\b.*:)")
_LONGEST_BLOCK = 400
"""Lines of a block above which it is a log or a listing, and is not searched for code."""


def code_statements(text: str, line: int) -> tuple[Statement, ...]:
    """The statements of a block that is Python, or that begins as Python and goes on as output.

    Output after a mark (`Output:`, `Out[3]:`), a traceback, and whatever is no Python are what the
    statement before them shows. Empty for a block that holds no code.
    """
    lines = readable(text).split("\n")
    if len(lines) > _LONGEST_BLOCK:
        return ()
    found: list[Statement] = []
    start = 0
    while start < len(lines):
        end = _longest_code(lines, start)
        code = statements("\n".join(lines[start:end]), line + start)
        after = _output_end(lines, end)
        shown = _output("\n".join(lines[end:after]))
        if code:
            found += [*code[:-1], dataclasses.replace(code[-1], shown=shown)]
        elif not found:
            return ()
        start = max(after, start + 1)
    return tuple(found) if _is_program(found) else ()


def _longest_code(lines: Sequence[str], start: int) -> int:
    """The end of the longest run of lines from `start` that is Python and no marked output."""
    limit = next(
        (i for i in range(start, len(lines)) if _ends_code(lines[i])),
        len(lines),
    )
    for end in range(limit, start, -1):
        if parsed("\n".join(lines[start:end])) is not None:
            return end
    return start


def _ends_code(line: str) -> bool:
    return bool(_OUTPUT_MARK.match(line) or _TRACEBACK.match(line))


def _output_end(lines: Sequence[str], start: int) -> int:
    """Where output ends: at the first line from which the rest is code that does something.

    What follows a mark or begins a traceback has no more code under it.
    """
    if start < len(lines) and _ends_code(lines[start]):
        return len(lines)
    for end in range(start + 1, len(lines) + 1):
        tree = parsed("\n".join(lines[end:]))
        if tree is not None and any(_acts(node) for node in tree.body):
            return end
    return len(lines)


def _output(text: str) -> str:
    return _OUTPUT_MARK.sub("", text, count=1).strip("\n")


def _is_program(found: Sequence[Statement]) -> bool:
    """Whether statements do anything: prose and printed values can be read as Python too."""
    trees = [parsed(statement.source) for statement in found]
    return any(_acts(node) for tree in trees if tree for node in tree.body)


def _acts(node: ast.stmt) -> bool:
    """Whether a statement is more than names and values side by side."""
    if isinstance(node, ast.AnnAssign):
        return node.value is not None
    if not isinstance(node, ast.Expr):
        return True
    return any(isinstance(part, ast.Call | ast.Subscript) for part in ast.walk(node.value))
