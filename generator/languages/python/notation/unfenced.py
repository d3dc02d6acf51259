"""Finds code in texts that have lost their fences and empty lines, as some trackers export them."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Sequence

from evaluator.languages.python.parsing import parsed

LONGEST_STATEMENT = 120
"""Lines."""
MOST_READ = 1_000_000
"""Characters that are split into tokens for one text, with all repetitions: some seconds."""

_START = re.compile(
    r"^(?:from|import|class|def|async|with|for|if|while|try|assert|raise|del)\b"
    r"|^@\w|^[A-Za-z_][\w.]*\s*(?:[=(\[.|+~]|$)|^\w+(?:, \w+)+ = "
)
_TRACEBACK = re.compile(
    r"^\s*(?:Traceback \(most recent call last\):?\s*$|File \"[^\"]+\", line \d)"
)
_ELLIPSIS = re.compile(r"^(\s*)\u2026\s*$")
_CONTINUATION = re.compile(r"^(?:else|elif|except|finally)\b|^[)\]}]")


class UnfencedCode:
    """Looks for code in the lines of one text, from its beginning to its end."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._known: set[str] = set()
        self._left = MOST_READ

    def trace_end(self, at: int) -> int:
        """The line behind the frames of a traceback that begins at a line, else that line."""
        if not _TRACEBACK.match(self._lines[at]):
            return at
        at += 1
        while at < len(self._lines) and self._is_of_trace(self._lines[at]):
            at += 1
        return at

    def _is_of_trace(self, line: str) -> bool:
        return line.startswith(" ") or _TRACEBACK.match(line) is not None

    def code(self, at: int) -> tuple[str, int]:
        """The statements from a line on, comments between them, and the line behind them.

        ("", at) where no statement begins.
        """
        pieces: list[str] = []
        found, end = self._comment(at)
        while found:
            pieces.append(found)
            found, end = self._comment(end)
        found, end = self._statement(end)
        if not found:
            return "", at
        while found:
            pieces.append(found)
            found, end = self._next(end)
        return "\n".join(pieces), end

    def _next(self, at: int) -> tuple[str, int]:
        comment, end = self._comment(at)
        return (comment, end) if comment else self._statement(at)

    def _comment(self, at: int) -> tuple[str, int]:
        line = self._lines[at].strip() if at < len(self._lines) else ""
        return (line, at + 1) if line.startswith("# ") else ("", at)

    def _statement(self, at: int) -> tuple[str, int]:
        """The statement that begins at a line: a block goes on while it is indented."""
        if at >= len(self._lines) or not _START.match(self._lines[at].strip()):
            return "", at
        indent = _indent(self._lines[at])
        for end in range(at + 1, min(at + LONGEST_STATEMENT, len(self._lines)) + 1):
            source = "\n".join(_dedented(line, indent) for line in self._lines[at:end])
            self._left -= len(source)
            if self._left < 0:
                break
            if not (self._goes_on(end, indent) or _is_open(source)):
                return (source, end) if self._is_code(source) else ("", at)
        return "", at

    def _goes_on(self, at: int, indent: int) -> bool:
        if at >= len(self._lines):
            return False
        line = self._lines[at]
        return _indent(line) > indent or bool(_CONTINUATION.match(line.strip()))

    def _is_code(self, source: str) -> bool:
        """Whether a source is one statement, and more than a phrase of prose that can be parsed."""
        tree = parsed(source)
        if tree is None or len(tree.body) != 1:
            return False
        node = tree.body[0]
        if isinstance(node, ast.AnnAssign) and node.value is None:
            return False
        names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        if isinstance(node, ast.Expr) and not _calls(node):
            return bool(names) and {name.id for name in names} <= self._known
        self._known |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
        return True


def _calls(node: ast.stmt) -> bool:
    return any(isinstance(part, ast.Call) for part in ast.walk(node))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_open(source: str) -> bool:
    """Whether a source ends in the middle of brackets, of a text, or behind a decorator.

    Tokens show it: a parser takes minutes over brackets that are never closed.
    """
    if source.rpartition("\n")[2].startswith("@"):
        return True
    try:
        for _ in tokenize.generate_tokens(io.StringIO(source).readline):
            pass
    except tokenize.TokenError:
        return True
    except SyntaxError:
        return False
    return False


def _dedented(line: str, indent: int) -> str:
    line = _ELLIPSIS.sub(r"\1...", line.rstrip())
    return line[indent:] if not line[:indent].strip() else line.lstrip()
