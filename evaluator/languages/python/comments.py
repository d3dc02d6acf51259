"""Python without what only people read."""

from __future__ import annotations

import re

# Nothing is tried twice, and what is not closed goes on to the end of its line or of the file: the
# time stays linear, whatever stands there.
_LONG = (
    rb"\"\"\"(?:[^\"\\]++|\\.|\"(?!\"\"))*+(?:\"\"\"|\\?\Z)"
    rb"|'''(?:[^'\\]++|\\.|'(?!''))*+(?:'''|\\?\Z)"
)
_SHORT = rb"\"(?:[^\"\\\n]++|\\.)*+\"?|'(?:[^'\\\n]++|\\.)*+'?"
_TEXT = rb"(?P<text>%s|%s)" % (_LONG, _SHORT)
_COMMENT = re.compile(rb"%s|#[^\n]*+" % _TEXT, re.DOTALL)
_DOCUMENTATION = re.compile(
    rb"(?:\A\s*+|(?<=:)[ \t]*+\r?\n\s*+)[rRuU]?(?:%s)|%s" % (_LONG, _TEXT), re.DOTALL
)


def without_comments(content: bytes) -> bytes:
    """A file without comments and without the documentation of modules, classes and functions.

    That is what stands in three quotation marks where a block begins. No syntax is needed for it:
    what cannot be parsed has no comments, either, and large projects are soon read.
    """
    kept = _COMMENT.sub(rb"\g<text>", content)
    return _DOCUMENTATION.sub(rb"\n\g<text>", kept)
