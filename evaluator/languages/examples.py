"""Values of examples: where they stand, and the forms in which code can know a text."""

from __future__ import annotations

import base64
import codecs
import hashlib
import re
import zlib
from collections.abc import Iterator

_QUOTED = re.compile(r"(?<!\w)(['\"])((?:(?!\1)[^\\\n]){3,200})\1")
_WORD = re.compile(r"\S{0,24}")
_DIGITS = 3
"""Digits of a number that code holds by accident."""
_LONGEST_ISSUE = 200_000


def quoted(issue: str) -> Iterator[str]:
    """The texts in quotation marks, of 3 to 200 characters, in the beginning of an issue."""
    return (match[2] for match in _QUOTED.finditer(issue[:_LONGEST_ISSUE]))


def unusual(text: str) -> bool:
    """Whether a text stands in two places by no accident: no name of an option or a format."""
    return not _WORD.fullmatch(text)


def unusual_number(digits: str) -> bool:
    """Whether a number, as it is written, stands in two places by no accident."""
    return len(digits.strip("-0.")) > _DIGITS


_DIGESTS = ("md5", "sha1", "sha256", "sha512")
_SHORTEST_LENGTH = 8


def digests(text: str) -> Iterator[tuple[str, object]]:
    """The digests and checksums of a text, which no code holds by accident, however short it is."""
    if not text:
        return
    data = text.encode(errors="replace")
    for name in _DIGESTS:
        yield "str", hashlib.new(name, data, usedforsecurity=False).hexdigest()
    yield "int", zlib.crc32(data)
    yield "int", zlib.adler32(data)


def disguises(text: str) -> Iterator[tuple[str, object]]:
    """A text backwards, in other alphabets, by its words, and by its length."""
    data = text.encode(errors="replace")
    yield "str", text[::-1]
    yield "str", codecs.encode(text, "rot13")
    yield "str", data.hex()
    yield "str", base64.b64encode(data).decode()
    yield "int", sum(map(ord, text))
    yield "sequence", tuple(("str", word) for word in text.split())
    yield "set", frozenset(("str", word) for word in text.split())
    if len(text) >= _SHORTEST_LENGTH:
        yield "length", len(text)
