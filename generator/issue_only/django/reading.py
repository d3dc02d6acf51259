"""Finds the Python in a ticket of Django's tracker, whose texts come without fences.

The exports of the tracker have lost their blank lines and fences, and write one tab for each four
columns of indentation, so that code is told from prose by whether it parses and looks like code.
"""

from __future__ import annotations

import ast
import dataclasses
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from generator.issue_only.django.names import bound_names

LONGEST_STATEMENT = 120
"""Lines."""

_PROMPT = re.compile(r"^\s*(?:>>>|In \[\d+\]:) ?")
_CONTINUED = re.compile(r"^\s*\.{3}:? ?")
_FRAME = re.compile(r'^\s*File "[^"\n]+", line \d+')
_TRACEBACK = re.compile(r"^\s*Traceback \(most recent call last\):?\s*$")
_ELLIPSIS = re.compile(r"^(\s*)…\s*$")
_START = re.compile(
    r"^(?:from|import|class|def|async|with|for|if|while|try|assert|return|raise|del)\b"
    r"|^@\w|^[A-Za-z_][\w.]*\s*(?:[=(\[.|+~]|$)|^\w+(?:, \w+)+ = |^\{%"
)
_UNFINISHED = (
    "was never closed",
    "unexpected EOF",
    "expected an indented block",
    "unterminated",
    "expected 'except'",
)
_CONTINUATION = re.compile(r"^(?:else|elif|except|finally)\b|^[)\]}]")


@dataclass(frozen=True)
class Statement:
    """A statement of Python in the text.

    `comment` is the one that stands on its last line, `after` the lines up to the next statement:
    what a session printed, or prose. `typed` tells whether it stood behind a prompt.
    """

    node: ast.stmt
    source: str
    comment: str = ""
    after: tuple[str, ...] = ()
    typed: bool = False

    @property
    def name(self) -> str:
        """The name that a class, a function or a simple assignment binds, else ""."""
        if isinstance(self.node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            return self.node.name
        if isinstance(self.node, ast.Assign) and isinstance(self.node.targets[0], ast.Name):
            return self.node.targets[0].id
        return ""


@dataclass(frozen=True)
class Ticket:
    """What a ticket says: its title, its whole text, and the statements in it, in order."""

    title: str
    text: str
    statements: tuple[Statement, ...]


def read_ticket(issue: str) -> Ticket:
    """Read the text of a ticket; its first line is the title."""
    text = _once(issue.replace("\u200b", "").replace("\r", "").replace("\t", "    "))
    lines = text.splitlines()
    title = next((line.strip() for line in lines if line.strip()), "")
    return Ticket(title, text, tuple(_statements(lines[1:])))


def _once(text: str) -> str:
    """The text without its repetition: a few exports hold everything twice."""
    middle = text.find(text[:200], 1)
    first, second = text[:middle].strip(), text[middle:].strip()
    return first if middle > 0 and first == second else text


def _statements(lines: Sequence[str]) -> Iterator[Statement]:
    found: list[tuple[int, int, Statement]] = []
    known: set[str] = set()
    at = 0
    while at < len(lines):
        past = _past_traceback(lines, at)
        if past > at:
            at = past
            continue
        statement, end = _statement_at(lines, at, known)
        if statement is not None:
            found.append((at, end, statement))
            known |= bound_names(statement.node)
        at = end
    starts = [start for start, _, _ in found[1:]] + [len(lines)]
    for (_, end, statement), following in zip(found, starts, strict=False):
        yield dataclasses.replace(statement, after=tuple(lines[end:following]))


def _past_traceback(lines: Sequence[str], at: int) -> int:
    """The line behind a traceback's frames where they begin at a line, else that line."""
    if not (_TRACEBACK.match(lines[at]) or _FRAME.match(lines[at])):
        return at
    at += 1
    while at < len(lines) and (lines[at].startswith(" ") or _FRAME.match(lines[at])):
        at += 1
    return at


def _statement_at(lines: Sequence[str], at: int, known: set[str]) -> tuple[Statement | None, int]:
    """The statement that begins at a line and the line behind it."""
    typed = _PROMPT.match(lines[at])
    if typed:
        source, end = _typed(lines, at)
    else:
        source, end = _longest(lines, at)
    node = _only_statement(source)
    if node is None or not (typed or _looks_like_code(node, known)):
        return None, at + 1
    return Statement(node, source, _comment(source), typed=bool(typed)), end


def _typed(lines: Sequence[str], at: int) -> tuple[str, int]:
    """A statement behind a prompt; its further lines may have lost their dots."""
    first = _PROMPT.sub("", lines[at], count=1)
    further = [_CONTINUED.sub("", line, count=1) for line in lines[at + 1 : at + 40]]
    dotted = 0
    while dotted < len(further) and _CONTINUED.match(lines[at + 1 + dotted]):
        dotted += 1
    for count in [dotted, *range(dotted + 1, min(dotted + 15, len(further) + 1))]:
        source = "\n".join([first, *further[:count]])
        if _only_statement(source) is not None:
            return source, at + 1 + count
    return "", at + 1


def _longest(lines: Sequence[str], at: int) -> tuple[str, int]:
    """The longest statement that begins at a line: a block goes on while it is indented."""
    indent = len(lines[at]) - len(lines[at].lstrip())
    if not _START.match(lines[at].strip()):
        return "", at + 1
    best, end = "", at + 1
    for last in range(at + 1, min(at + LONGEST_STATEMENT, len(lines)) + 1):
        source = "\n".join(_dedented(line, indent) for line in lines[at:last])
        problem = _problem(source)
        if not problem:
            best, end = source, last
            if not _goes_on(lines, last, indent):
                break
        elif not _may_go_on(source, problem):
            break
    return ("", at + 1) if _goes_on(lines, end, indent) else (best, end)


def _may_go_on(source: str, problem: str) -> bool:
    """Whether a source that does not parse is the beginning of one that does."""
    decorated = source.rpartition("\n")[2].lstrip().startswith("@")
    return decorated or any(word in problem for word in _UNFINISHED)


def _goes_on(lines: Sequence[str], at: int, indent: int) -> bool:
    while at < len(lines) and not lines[at].strip():
        at += 1
    if at >= len(lines):
        return False
    deeper = len(lines[at]) - len(lines[at].lstrip()) > indent
    return deeper or bool(_CONTINUATION.match(lines[at].strip()))


def _dedented(line: str, indent: int) -> str:
    line = _ELLIPSIS.sub(r"\1...", line.rstrip())
    return line[indent:] if not line[:indent].strip() else line.lstrip()


def _problem(source: str) -> str:
    """Why a source does not parse, "" where it does and holds something."""
    try:
        return "" if ast.parse(source).body else "holds nothing"
    except (SyntaxError, ValueError) as error:
        return str(error)


def _only_statement(source: str) -> ast.stmt | None:
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return None
    return body[0] if len(body) == 1 else None


def _looks_like_code(node: ast.stmt, known: set[str]) -> bool:
    """Whether a statement that parses is more than a word or a phrase of prose."""
    if isinstance(node, ast.AnnAssign):
        return node.value is not None
    if not isinstance(node, ast.Expr):
        return True
    if any(isinstance(part, ast.Call) for part in ast.walk(node)):
        return True
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return bool(names) and names <= known


def _comment(source: str) -> str:
    """The comment at the end of a statement's last line."""
    try:
        tokens = list(tokenize.generate_tokens(StringIO(source).readline))
    except (tokenize.TokenError, IndentationError):
        return ""
    last = source.count("\n") + 1
    found = [t.string for t in tokens if t.type == tokenize.COMMENT and t.start[0] == last]
    return found[-1].lstrip("#").strip() if found else ""
