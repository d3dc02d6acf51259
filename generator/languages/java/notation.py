"""How Java's code and stack traces stand in issues."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.languages.java import syntax
from generator.languages.java.structure import encoded
from generator.report_text import MentionedFrame, Notation, ReportedError

_NAME = r"(?:[a-z_]\w*\.)*[A-Z]\w*(?:Exception|Error)\b"
_FRAME = re.compile(
    r"^[ \t>|*]*(?:at[ \t]+)?(?:[\w.@-]+/+)*(?:[\w$]+\.)+(?P<name>[\w$<>]+)"
    r"\((?P<path>\w+\.java)(?::\d+)?\)"
)
_ERROR = re.compile(
    rf"^[ \t>|*]*(?:Exception in thread \"[^\"\n]*\" |(?P<cause>Caused by: ))?(?P<name>{_NAME})"
    r"(?::[ \t]*(?P<message>.*?))?[ \t]*$"
)


def frames(text: str) -> Iterator[MentionedFrame]:
    """The frames of all stack traces, those of each in turn round: the deepest comes last."""
    trace: list[MentionedFrame] = []
    for line in text.splitlines():
        match = _FRAME.match(line)
        if match is not None:
            trace.append(MentionedFrame(match["path"], match["name"]))
        elif line.strip():
            yield from reversed(trace)
            trace = []
    yield from reversed(trace)


def errors(text: str) -> tuple[ReportedError, ...]:
    """The exceptions that stand at the head of a line, causes left out."""
    found = ((number, _ERROR.match(line)) for number, line in enumerate(text.split("\n"), start=1))
    return tuple(
        ReportedError(match["name"], (match["message"] or "").strip(), number)
        for number, match in found
        if match is not None and not match["cause"]
    )


def is_code(text: str) -> bool:
    """Whether a piece of text can be read as Java."""
    root = syntax.parsed(encoded(text))
    return root is not None and not root.has_error and root.named_child_count > 0


NOTATION = Notation(
    errors=errors,
    is_code=is_code,
    is_statement=is_code,
    exception=re.compile(rf"^{_NAME}"),
    frames=frames,
)
