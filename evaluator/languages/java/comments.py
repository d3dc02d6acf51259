"""Java without what only people read."""

from __future__ import annotations

import re

# As in Python's: nothing is tried twice, and what is not closed goes on to the end.
_COMMENT = re.compile(
    rb"(?P<text>\"\"\"(?:[^\"\\]++|\\.|\"(?!\"\"))*+(?:\"\"\"|\\?\Z)"
    rb"|\"(?:[^\"\\\n]++|\\.)*+\"?|'(?:[^'\\\n]++|\\.)*+'?)"
    rb"|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)|//[^\n]*+",
    re.DOTALL,
)


def without_comments(content: bytes) -> bytes:
    """A file without comments, be it valid or not."""
    return _COMMENT.sub(rb"\g<text> ", content)
