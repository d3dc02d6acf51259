"""Reads an issue: what it shows to be run, what came out, and what should."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from generator.report_text.claims import claims
from generator.report_text.code import code_statements
from generator.report_text.commands import commands, files
from generator.report_text.errors import reported_errors
from generator.report_text.markdown import cleaned, parts
from generator.report_text.python_source import parsed
from generator.report_text.sessions import is_session, session_statements
from generator.report_text.types import Example, Kind, Part, Report, Statement

_NO_PYTHON = frozenset(
    {"bash", "sh", "shell", "console", "cmd", "bat", "powershell", "diff"}
    | {"c", "cpp", "js", "javascript", "sql", "html", "xml", "rst", "text", "txt"}
    | {"json", "yaml", "toml", "ini", "cfg", "traceback", "pytb", "python-traceback"}
)
"""Languages of fences that hold no Python to be run, unless there are prompts in them."""


def read_report(issue: str) -> Report:
    """Read an issue, title first. Any text can be read."""
    found = parts(issue)
    text = cleaned(issue)
    return Report(
        title=text.strip().split("\n", 1)[0].strip("# "),
        text=text,
        parts=found,
        examples=tuple(_examples(found)),
        errors=reported_errors(text),
        claims=claims(found),
        commands=commands(found),
        files=files(found),
    )


def _examples(found: Sequence[Part]) -> Iterator[Example]:
    code = [(index, _statements(part)) for index, part in enumerate(found)]
    starts = [index for index, statements in code if statements]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(found)
        part = found[start]
        following = found[start + 1 : end]
        yield Example(
            statements=code[start][1],
            line=part.line,
            outputs=tuple(_outputs(found[start + 1 :])),
            before=_prose_before(found[:start]),
            after="\n".join(p.text for p in following if p.kind is Kind.PROSE),
            section=part.section,
            role=part.role,
            prompted=is_session(part.text),
        )


def _outputs(following: Sequence[Part]) -> Iterator[Part]:
    """The blocks up to the next one that is surely code; printed values can be read as code."""
    for part in following:
        if part.kind is Kind.BLOCK:
            if is_session(part.text) or not all(map(_is_expression, _statements(part))):
                return
            yield part


def _is_expression(statement: Statement) -> bool:
    tree = parsed(statement.source)
    return tree is not None and all(isinstance(node, ast.Expr) for node in tree.body)


def _statements(part: Part) -> tuple[Statement, ...]:
    if part.kind is not Kind.BLOCK:
        return ()
    if is_session(part.text):
        return session_statements(part.text, part.line)
    return () if part.language in _NO_PYTHON else code_statements(part.text, part.line)


def _prose_before(earlier: Sequence[Part]) -> str:
    """The prose right before a block, back to the block before it."""
    texts: list[str] = []
    for part in reversed(earlier):
        if part.kind is Kind.BLOCK:
            break
        texts.insert(0, part.text)
    return "\n".join(texts)
