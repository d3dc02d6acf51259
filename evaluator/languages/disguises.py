"""The forms in which code can know a text without its standing there."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator

_DIGESTS = ("md5", "sha1", "sha256", "sha512")
_SHORTEST_LENGTH = 8


def disguises(text: str) -> Iterator[tuple[str, object]]:
    """A text backwards, in hexadecimal, by its words, digests, checksums, and by its length."""
    data = text.encode(errors="replace")
    yield "str", text[::-1]
    yield "str", data.hex()
    yield from (
        ("str", hashlib.new(name, data, usedforsecurity=False).hexdigest()) for name in _DIGESTS
    )
    yield from (("int", number) for number in (zlib.crc32(data), zlib.adler32(data)))
    yield "int", sum(map(ord, text))
    yield "sequence", tuple(("str", word) for word in text.split())
    yield "set", frozenset(("str", word) for word in text.split())
    if len(text) >= _SHORTEST_LENGTH:
        yield "length", len(text)
