"""Python without what only people read."""

from __future__ import annotations

import re

from evaluator.languages.quoted import long_text, short_text

_LONG = b"|".join(map(long_text, (b'"', b"'")))
_TEXT = b"(?P<text>%s)" % b"|".join([_LONG, *map(short_text, (b'"', b"'"))])
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
