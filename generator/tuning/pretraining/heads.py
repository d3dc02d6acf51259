"""What stands above the code of a source file and says nothing about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

# Atomic groups: other ways to read a row of comments would be tried until the end of time.
_JAVA_HEAD = re.compile(
    r"\A(?>(?>(?:\s|/\*.*?\*/|//[^\n]*)*)(?:package|import)\s[^;]*;)+", re.DOTALL
)
_FIRST_COMMENT = re.compile(r"\A\s*(?:/\*.*?\*/|(?://[^\n]*(?:\n|\Z))+)", re.DOTALL)
_LICENCE = re.compile("licen[cs]e|copyright", re.IGNORECASE)


def java_body(text: str) -> str:
    """A Java file from behind its package and imports; where it has neither, behind a licence.

    The comment of the first type stays.
    """
    head = _JAVA_HEAD.match(text) or _licence(text)
    return text[head.end() if head else 0 :].lstrip()


def _licence(text: str) -> re.Match[str] | None:
    first = _FIRST_COMMENT.match(text)
    return first if first and _LICENCE.search(first[0]) else None


BODIES: Mapping[str, Callable[[str], str]] = {".java": java_body}
"""By the ending of a name; files of other endings are learned whole."""
