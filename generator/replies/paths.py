"""Paths of files that replies name."""

from __future__ import annotations

import re

from generator.replies.text import answer_of

_PATH = re.compile(r"(?<![\w./:-])(?:\./)?((?:[\w.+-]+/)*[\w+-][\w.+-]*\.\w{1,10})\b(?!/)")


def read_paths(reply: str) -> tuple[str, ...]:
    """What looks like a file's path, relative to the project, each once, in order."""
    return tuple(dict.fromkeys(match[1] for match in _PATH.finditer(answer_of(reply))))
