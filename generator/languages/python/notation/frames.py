"""Frames of tracebacks, and imports, as they stand in any text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.report_text import MentionedFrame

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
