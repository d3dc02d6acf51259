"""Reads code in issues: interactive sessions, and blocks in which output may stand."""

from __future__ import annotations

import ast
import dataclasses
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evaluator.languages.python.parsing import parsed
from generator.report_text import Statement

_PRINT = re.compile(r"^(\s*)print[ \t]+(?![(=])(.+?)[ \t]*;?$", re.MULTILINE)
_MAGIC = re.compile(r"^[ \t]*(?:[%!].*|.*\?{1,2})$", re.MULTILINE)


def readable(source: str) -> str:
    """The source as Python 3 reads it: prints of Python 2 and commands of IPython are put right."""
    source = textwrap.dedent(source).strip("\n")
    if parsed(source) is not None:
        return source
    return _PRINT.sub(r"\1print(\2)", _MAGIC.sub("", source))


def statements(source: str, line: int) -> tuple[Statement, ...]:
    """The statements of source that is Python, `line` being the number of its first line."""
    tree = parsed(source)
    if tree is None:
        return ()
    lines = source.split("\n")
    comments = _comments(source)
    found = []
    for node in tree.body:
        first, last = _first_line(node), node.end_lineno or node.lineno
        text = ast.get_source_segment(source, node) or ""
        whole = textwrap.dedent("\n".join(lines[first - 1 : last])).rstrip()
        found.append(
            Statement(
                source=whole if _alone(tree, node) else text,
                line=line + first - 1,
                remark=comments.get(last, "").strip(),
                below=_below(comments, last, lines),
                heralds=_above(comments, first, lines),
            )
        )
    return tuple(found)


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _alone(tree: ast.Module, node: ast.stmt) -> bool:
    """Whether no other statement shares a line with this one."""
    lines = range(_first_line(node), (node.end_lineno or node.lineno) + 1)
    others = [other for other in tree.body if other is not node]
    return not any(o.lineno in lines or o.end_lineno in lines for o in others)


def _comments(source: str) -> Mapping[int, str]:
    """Comments by their line from 1, without the mark."""
    found: dict[int, str] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                found[token.start[0]] = token.string.lstrip("#")
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return found
    return found


def _below(comments: Mapping[int, str], last: int, lines: list[str]) -> str:
    """The comments that stand alone on the lines right under a statement."""
    found: list[str] = []
    below = last + 1
    while below in comments and _is_comment(lines[below - 1]):
        found.append(comments[below])
        below += 1
    return textwrap.dedent("\n".join(found)).strip()


def _above(comments: Mapping[int, str], first: int, lines: list[str]) -> str:
    """Comments that stand alone on the lines right above a statement."""
    found: list[str] = []
    above = first - 1
    while above in comments and _is_comment(lines[above - 1]):
        found.insert(0, comments[above].strip())
        above -= 1
    return "\n".join(found)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


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


_DOCTEST = re.compile(r"^\s*>>>(?!>) ?(?P<code>.*)$")
_IPYTHON = re.compile(r"^\s*In ?\[\d*\]: ?(?P<code>.*)$")
_DOTS = re.compile(r"^\s*\.\.\.(?: (?P<code>.*))?$")
_IPYTHON_DOTS = re.compile(r"^\s*\.{3,}: ?(?P<code>.*)$")
_OUT = re.compile(r"^\s*Out ?\[\d*\]: ?")


@dataclass
class _Entry:
    """`column` is where the code begins in a line of IPython, 0 in a doctest."""

    line: int
    column: int
    code: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


def is_prompt(line: str) -> bool:
    """Whether a line stands behind a prompt."""
    return _prompted(line) is not None


def session_statements(text: str, line: int) -> tuple[Statement, ...]:
    """The statements of a session, each with the output under it; `line` is that of the text.

    What is no Python is left out with its output.
    """
    return tuple(s for entry in _entries(text, line) for s in _statements(entry))


def _entries(text: str, line: int) -> Iterator[_Entry]:
    entry: _Entry | None = None
    for number, content in enumerate(text.split("\n"), start=line):
        code = _prompted(content)
        if code is not None:
            if entry is not None and not _goes_on(entry):
                yield entry
                entry = None
            entry = entry or _Entry(number, _column(content))
            entry.code.append(code)
        elif entry is not None:
            _add(entry, content)
    if entry is not None:
        yield entry


def _prompted(line: str) -> str | None:
    found = _DOCTEST.match(line) or _IPYTHON.match(line)
    return None if found is None else found["code"]


def _goes_on(entry: _Entry) -> bool:
    """Whether a statement that was begun is continued after another prompt, as some paste it."""
    code = "\n".join(entry.code)
    opened = sum(map(code.count, "([{")) > sum(map(code.count, ")]}"))
    return opened and not entry.shown


def _column(line: str) -> int:
    """Where a cell of several lines, as notebooks paste it, goes on under its prompt."""
    found = _IPYTHON.match(line)
    return found.start("code") if found else 0


def _add(entry: _Entry, line: str) -> None:
    if _is_of_cell(entry, line):
        entry.code.append(line[entry.column :])
        return
    dots = None if entry.shown else _DOTS.match(line) or _IPYTHON_DOTS.match(line)
    if dots is not None and not (_DOTS.match(line) and _is_elision(entry, line)):
        entry.code.append(dots["code"] or "")
    else:
        entry.shown.append(_OUT.sub("", line))


def _is_of_cell(entry: _Entry, line: str) -> bool:
    if not entry.column or entry.shown or line[: entry.column].strip() or not line.strip():
        return False
    return parsed("\n".join([*entry.code, line[entry.column :]])) is not None


def _is_elision(entry: _Entry, line: str) -> bool:
    """Whether three dots stand for output that was left out: the statement is whole already."""
    last = entry.code[-1]
    goes_on = last.startswith((" ", "\t")) or last.rstrip().endswith((":", ",", "\\", "("))
    return line.strip() == "..." and not goes_on


def _statements(entry: _Entry) -> Iterator[Statement]:
    source = readable("\n".join(entry.code))
    found = statements(source, entry.line)
    if found:
        yield from found[:-1]
        yield dataclasses.replace(found[-1], shown=_trimmed(entry.shown))


def _trimmed(lines: list[str]) -> str:
    """Without the empty lines around it; lines keep their indentation."""
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return "\n".join(lines)
