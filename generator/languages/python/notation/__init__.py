"""How Python's code, sessions and tracebacks stand in issues."""

from __future__ import annotations

import ast
import re

from evaluator.languages.python.parsing import parsed
from generator.languages.python.notation.code import code_statements, is_prompt, session_statements
from generator.languages.python.notation.errors import (
    BOILERPLATE,
    EXCEPTION_NAME,
    frames,
    imported,
    is_traceback,
    reported_errors,
)
from generator.languages.python.notation.unfenced import UnfencedCode
from generator.report_text import IssuePart, Notation, Statement

__all__ = ["EXCEPTION_NAME", "NOTATION", "is_traceback", "reported_errors"]

_TRACE = re.compile(r"\s*Traceback\b")
_NO_PYTHON = frozenset(
    {"bash", "sh", "shell", "console", "cmd", "bat", "powershell", "diff"}
    | {"c", "cpp", "js", "javascript", "sql", "html", "xml", "rst", "text", "txt"}
    | {"json", "yaml", "toml", "ini", "cfg", "traceback", "pytb", "python-traceback"}
)
"""Languages of fences that hold no Python to be run, unless there are prompts in them."""


def _statements(block: IssuePart) -> tuple[Statement, ...]:
    if NOTATION.is_session(block.text):
        return session_statements(block.text, block.line)
    return () if block.language in _NO_PYTHON else code_statements(block.text, block.line)


def _is_value(statement: Statement) -> bool:
    tree = parsed(statement.source)
    return tree is not None and all(isinstance(node, ast.Expr) for node in tree.body)


def _is_statement(text: str) -> bool:
    tree = parsed(text)
    return tree is not None and len(tree.body) == 1


NOTATION = Notation(
    is_prompt=is_prompt,
    begins_trace=lambda line: _TRACE.match(line) is not None,
    unfenced=UnfencedCode,
    statements=_statements,
    is_value=_is_value,
    errors=reported_errors,
    is_code=lambda text: parsed(text) is not None,
    is_statement=_is_statement,
    exception=re.compile(rf"^{EXCEPTION_NAME}\b"),
    constants=frozenset({"true", "false", "none"}),
    frames=frames,
    imported=imported,
    boilerplate=BOILERPLATE,
)
