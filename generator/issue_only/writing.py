"""Writes a test for a symptom: the steps it needs, then what must hold."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence

from generator.issue_only.demanding import demanded
from generator.issue_only.slicing import loaded_names, needed_steps, stored_names
from generator.issue_only.symptoms import Replay, Symptom
from generator.report_text import parsed

_WORDS = 6
_STAR = re.compile(r"^\s*from\s+[\w.]+\s+import\s+\*")
_UNTELLING = frozenset(
    {"a", "an", "and", "are", "as", "be", "bug", "by", "does", "for", "from", "in", "is", "issue"}
    | {"it", "not", "of", "on", "or", "the", "to", "when", "with"}
)


def test_function(replay: Replay, symptom: Symptom, *, pytest: bool) -> str:
    """A test function that fails as long as the symptom is there.

    It imports all that it needs by itself. `pytest` tells whether it may use pytest's helpers.
    """
    steps = replay.program.steps
    before = [
        steps[i].source
        for i in needed_steps(steps, replay.outcomes, symptom.step)
        if not _STAR.match(steps[i].source)
    ]
    last = demanded(
        steps[symptom.step].source, symptom.demand, replay.program.unicode, pytest=pytest
    )
    body = [*before, *last]
    lines = [*_imports(replay, symptom.step, body), *body]
    name = function_name(replay.report.title)
    return f"def {name}():\n" + "\n".join(_indented(line) for line in lines) + "\n"


def function_name(title: str) -> str:
    """`test_` and the first telling words of a title."""
    words = re.findall(r"[a-z][a-z0-9]*", re.sub(r"\[\w+\]", "", title.casefold()))
    told = [word for word in words if word not in _UNTELLING][:_WORDS]
    return "_".join(["test", *(told or ["reported", "issue"])])


def _indented(source: str) -> str:
    """One statement inside a function; texts over several lines are spelled in one."""
    tree = parsed(source)
    if tree is not None and any(map(_is_long_text, ast.walk(tree))):
        source = ast.unparse(tree)
    return textwrap.indent(source, "    ")


def _is_long_text(node: ast.AST) -> bool:
    """Whether a literal goes over several lines, so that indenting it would change it."""
    if not isinstance(node, ast.Constant | ast.JoinedStr):
        return False
    return node.end_lineno != node.lineno


def _imports(replay: Replay, last: int, body: Sequence[str]) -> Iterator[str]:
    """The lines that define what the issue took for granted, as far as the test reads it."""
    read = {name for source in body for name in loaded_names(source)}
    lines = [line for outcome in replay.outcomes[: last + 1] for line in outcome.imports]
    for line in dict.fromkeys(lines):
        if stored_names(line) & read:
            yield from line.split("; ")
