"""Java without what only people read."""

from __future__ import annotations

import re

_COMMENT = re.compile(
    rb"(?P<text>\"\"\"(?:[^\\]|\\.)*?\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    rb"|/\*.*?\*/|//[^\n]*",
    re.DOTALL,
)


def without_comments(content: bytes) -> bytes:
    """A file without comments, be it valid or not."""
    return _COMMENT.sub(rb"\g<text> ", content)
