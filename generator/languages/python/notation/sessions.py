"""Reads interactive sessions: doctest (`>>>`) and IPython (`In [1]:`, `Out[1]:`)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from evaluator.languages.python.parsing import parsed
from generator.languages.python.notation.code import readable, statements
from generator.report_text import Statement

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
