"""Splits source into statements, as far as it is Python, and gives each its comments."""

from __future__ import annotations

import ast
import io
import re
import textwrap
import tokenize
from collections.abc import Mapping

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
