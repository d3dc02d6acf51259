"""Edits of Python source in place, by the positions of its syntax tree."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from evaluator.languages.edits import SourceEdits
from evaluator.languages.python.parsing import Function, first_line

SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_SPACE = r"(?:[\s()\\]|#[^\n]*\n)*"


@dataclass
class Edits(SourceEdits):
    """Edits of a source (UTF-8), before and behind nodes and in place of text."""

    def __post_init__(self) -> None:
        self._starts = [0]
        for line in self.source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt) -> int:
        """The offset at which a node begins."""
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        """The offset behind a node."""
        line, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self._starts[line - 1] + column

    def before(self, node: ast.expr, text: str) -> None:
        """Put text before an expression, and inside of what was put before it already."""
        self.made.append((self.start(node), 1, self.start(node), text))

    def after(self, node: ast.expr, text: str) -> None:
        """Put text behind an expression, and outside of what was put there already."""
        self.made.append((self.end(node), 0, self.end(node), text))

    def replace(self, start: int, end: int, text: str) -> None:
        """Put text in the place of other text."""
        self.made.append((start, 1, end, text))

    def line_before(self, node: ast.stmt, text: str) -> None:
        """Put a line before a statement and its decorators."""
        self._line(first_line(node), node.col_offset, text, -1)

    def at_end(self, text: str) -> None:
        """Put a line behind everything."""
        end = len(self.source)
        newline = "" if self.source.endswith(b"\n") else "\n"
        self.made.append((end, 2, end, f"{newline}{text}\n"))

    def decorate(self, node: Function, text: str) -> None:
        """Put a decorator below those of a function."""
        self._line(node.lineno, node.col_offset, f"@{text}", 0)

    def decorate_all(self, node: Function, text: str) -> None:
        """Put a decorator above those of a function."""
        self._line(first_line(node), node.col_offset, f"@{text}", 0)

    def _line(self, number: int, column: int, text: str, order: int) -> None:
        start = self._starts[number - 1]
        indent = self.source[start : start + column].decode()
        self.made.append((start, order, start, f"{indent}{text}\n"))

    def sign(self, left: ast.expr, right: ast.expr, sign: str) -> tuple[int, int] | None:
        """From where to where an operator stands between its operands, None if unknown."""
        start = self.end(left)
        between = self.source[start : self.start(right)].decode()
        found = re.fullmatch(f"{_SPACE}({_SPACE.join(sign.split())}){_SPACE}", between)
        if found is None:
            return None
        offset = len(between[: found.start(1)].encode())
        return start + offset, start + offset + len(found[1].encode())
