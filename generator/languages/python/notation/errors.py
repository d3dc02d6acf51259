"""Finds what an issue shows of failures: exceptions, frames of tracebacks, imports.

Frames are read as Python, pytest and IPython print them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.report_text import MentionedFrame, ReportedError

BOILERPLATE = re.compile(r"^[ \t]*Traceback \(most recent call last\):?[ \t]*$", re.MULTILINE)
"""Lines of tracebacks that name nothing."""

_FRAMES = tuple(
    re.compile(pattern)
    for pattern in (
        # Python's own, pytest's, IPython's.
        r"""[ \t>]*File ["'](?P<path>[^"'\n]+)["'], line \d+(?:, in (?P<name>\S+))?""",
        r"(?P<path>[\w./\\+-]+\.pyx?):\d+:(?: in (?P<name>\w+)| \w+)?",
        r"(?:File )?(?P<path>[~/\w.\\:+-]+\.pyx?)(?::\d+)? in (?P<name>[\w<>]+)\(.*$",
    )
)
_IMPORT = re.compile(
    r"^[ \t>.]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]{0,2000}\)|.*)$", re.MULTILINE
)
_IMPORTED = re.compile(r"\b(?!as\b)[^\W\d]\w*")


def frames(text: str) -> Iterator[MentionedFrame]:
    """The frames of all tracebacks, in the order of the text, so that the deepest come last."""
    for line in text.splitlines():
        match = next((m for m in (pattern.match(line) for pattern in _FRAMES) if m), None)
        if match is not None:
            yield MentionedFrame(match["path"].replace("\\", "/"), match["name"] or "")


def imported(text: str) -> Iterator[str]:
    """What `from MODULE import NAME` imports, as dotted names."""
    for module, names in _IMPORT.findall(text):
        for name in _IMPORTED.findall(names.partition("#")[0]):
            yield f"{module}.{name}"


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
