"""Java without what only people read."""

from __future__ import annotations

import re

from evaluator.languages.quoted import long_text, short_text

_TEXT = b"|".join([long_text(b'"'), *map(short_text, (b'"', b"'"))])
_COMMENT = re.compile(
    rb"(?P<text>%s)|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)|//[^\n]*+" % _TEXT, re.DOTALL
)


def without_comments(content: bytes) -> bytes:
    """A file without comments, be it valid or not."""
    return _COMMENT.sub(rb"\g<text> ", content)
