"""Patterns of texts in quotation marks, as Python and Java write them.

Nothing is tried twice, and what is not closed goes on to the end of its line, or of the file where
there are three marks: the time stays linear, whatever stands there. For `re.DOTALL`.
"""

from __future__ import annotations


def short_text(mark: bytes) -> bytes:
    """A text in quotation marks, on one line."""
    return rb"Q(?:[^Q\\\n]++|\\.)*+Q?".replace(b"Q", mark)


def long_text(mark: bytes) -> bytes:
    """A text in three quotation marks each."""
    return rb"QQQ(?:[^Q\\]++|\\.|Q(?!QQ))*+(?:QQQ|\\?\Z)".replace(b"Q", mark)
