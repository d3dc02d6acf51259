"""Reads an issue: what it shows to be run, what came out, and what should."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from evaluator.issue_text import bounded
from evaluator.python_source import parsed
from generator.report_text.claims import claims
from generator.report_text.code import code_statements
from generator.report_text.commands import commands, files
from generator.report_text.errors import reported_errors
from generator.report_text.markdown import cleaned, parts
from generator.report_text.sessions import is_session, session_statements
from generator.report_text.types import Example, Kind, Part, Report, Statement

_NO_PYTHON = frozenset(
    {"bash", "sh", "shell", "console", "cmd", "bat", "powershell", "diff"}
    | {"c", "cpp", "js", "javascript", "sql", "html", "xml", "rst", "text", "txt"}
    | {"json", "yaml", "toml", "ini", "cfg", "traceback", "pytb", "python-traceback"}
)
"""Languages of fences that hold no Python to be run, unless there are prompts in them."""

_OUTPUT = re.compile(
    r"\b(?:outputs?|prints?|printed|says|returns?|results?(?: in| is)?|yields?|gives?(?: me)?)\b"
    r"[^.]{0,20}:?\s*$",
    re.IGNORECASE,
)
_CODE = re.compile(r"\b(?:code|example|snippet|script|program)\b", re.IGNORECASE)


def read_report(issue: str) -> Report:
    """Read an issue, title first, as much of it as is read of any issue. Any text can be read."""
    issue = bounded(issue)
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
    code = [
        (index, () if _is_announced_output(found, index) else _statements(part))
        for index, part in enumerate(found)
    ]
    starts = [index for index, statements in code if statements]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(found)
        part = found[start]
        following = found[start + 1 : end]
        yield Example(
            statements=code[start][1],
            line=part.line,
            outputs=tuple(_outputs(found, start + 1)),
            before=_prose_before(found[:start]),
            after="\n".join(p.text for p in following if p.kind is Kind.PROSE),
            section=part.section,
            role=part.role,
            prompted=is_session(part.text),
        )


def _outputs(found: Sequence[Part], start: int) -> Iterator[Part]:
    """The blocks up to the next one that is surely code; printed values can be read as code."""
    for index in range(start, len(found)):
        part = found[index]
        if part.kind is Kind.BLOCK:
            code = () if _is_announced_output(found, index) else _statements(part)
            if is_session(part.text) or not all(map(_is_expression, code)):
                return
            yield part


def _is_announced_output(found: Sequence[Part], index: int) -> bool:
    """Whether the words before a block, which come after another one, say that it is output."""
    words = found[index - 1] if index else None
    if words is None or words.kind is Kind.BLOCK or is_session(found[index].text):
        return False
    lead = words.text.strip().rsplit("\n", 1)[-1]
    after_code = any(part.kind is Kind.BLOCK for part in found[:index])
    return after_code and bool(_OUTPUT.search(lead)) and not _CODE.search(lead)


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
