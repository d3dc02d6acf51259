"""Finds the exceptions that an issue shows: tracebacks, and lines that name one with a message.

Also the frames of tracebacks, as Python, pytest and IPython print them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.report_text import ReportedError

EXCEPTION_NAME = (
    r"(?:(?:[A-Za-z_]\w*\.)*_*[A-Z]\w*"
    r"(?:Error|Exception|Warning|Interrupt|Exit|Iteration|DoesNotExist)|(?:re|socket|zlib)\.error)"
)
_LINE = re.compile(
    rf"^[ \t>|`*]*(?:E[ \t]+)?(?:\S+\.py:\d+: )?(?:.*?Warning: )?"
    rf"(?P<name>{EXCEPTION_NAME})(?::[ \t]*(?P<message>.*?))?[ \t`]*$"
)
_INLINE = re.compile(
    rf"[`\"'](?P<name>{EXCEPTION_NAME}):[ \t]*(?P<message>[^`\n]+?)[`\"']*(?=[`\"']|$)",
    re.MULTILINE,
)
_PLAIN_FRAME = re.compile(r"^\s*File \"[^\"]*\", line \d+, in (?P<function>[\w<>]+)")
_IPYTHON_FRAME = re.compile(r"^\S*?[\w.>/-]+(?:\.pyc?|>)?(?::\d+,)? in (?P<function>[\w.<>]+)\(")


def reported_errors(text: str) -> tuple[ReportedError, ...]:
    """The errors in the order of the text; the last of a chain is the one that came out."""
    return tuple(_errors(text))


def _errors(text: str) -> Iterator[ReportedError]:
    functions: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        frame = _PLAIN_FRAME.match(line) or _IPYTHON_FRAME.match(line)
        if frame is not None:
            functions.append(frame["function"].rpartition(".")[2])
        if found := _LINE.match(line):
            yield ReportedError(found["name"], _message(found), number, tuple(functions))
            functions = []
        else:
            for inline in _INLINE.finditer(line):
                yield ReportedError(inline["name"], _message(inline), number)


def _message(found: re.Match[str]) -> str:
    return (found["message"] or "").strip()


def is_traceback(text: str) -> bool:
    """Whether a block shows how a program died."""
    return "Traceback (most recent call" in text or any(
        _LINE.match(line) and ":" in line for line in text.split("\n")
    )
