"""Keys that stand for content: equal content has equal keys, wherever and whenever."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

_SHORT = 16


def content_key(*parts: object) -> str:
    """SHA-256, in hexadecimal, of JSON types, paths and dates, whatever the order of keys."""
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def short_key(*parts: object) -> str:
    """The first 16 digits of the content key, for directories whose paths must stay short."""
    return content_key(*parts)[:_SHORT]


def digest_of(files: Iterable[Path]) -> str:
    """SHA-256, in hexadecimal, of files' names and contents, in this order."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
