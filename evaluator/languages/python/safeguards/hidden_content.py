"""What in a Python module hides what it does."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import PurePosixPath

from evaluator.languages.python.parsing import DEEPEST, NOT_PYTHON, parse, parsed_leniently

COMPILED = frozenset({".pyc", ".pyo", ".pyd"})
OPAQUE = {
    **dict.fromkeys(
        (".pkl", ".pickle", ".pck", ".dill", ".joblib", ".npy", ".npz", ".pt"), "serialised objects"
    ),
    **dict.fromkeys((".egg", ".whl", ".pyz"), "an archive"),
}
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_PLAIN = re.compile(rb"utf-?8(-sig)?|(us-)?ascii|latin-?1|iso-?8859-?1", re.IGNORECASE)
_ENCODED = re.compile(r"[A-Za-z0-9+/=_\\-]{400,}")
"""A text so long without a blank says something to a decoder only."""
_VERSION = ".".join(map(str, sys.version_info[:2]))
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Marks that show source in another order than the one it runs in (CVE-2021-42574)."""


def hidden(path: str, old: bytes, new: bytes) -> Iterator[str]:
    """How the new content of a module hides what it does; nothing for other files."""
    if PurePosixPath(path).suffix.lower() in (".py", ".pyw"):
        yield from _hidden(old, new)


def _unread(source: bytes) -> str:
    try:
        parse(source)
    except RecursionError:
        return f"code of which more than {DEEPEST} parts stand within each other"
    except NOT_PYTHON:
        pass
    return (
        f"not Python that can be read by Python {_VERSION}, on which fixgate runs; newer syntax "
        "needs a newer one"
    )


def _hidden(old: bytes, new: bytes) -> Iterator[str]:
    cookie = _cookie(new)
    if not _PLAIN.fullmatch(cookie) and cookie != _cookie(old):
        yield f"source in the encoding {cookie.decode()}"
    tree = parsed_leniently(new)
    if tree is None:
        yield _unread(new)
        return
    if _DIRECTIONS.search(new.decode(errors="replace")) and not _DIRECTIONS.search(
        old.decode(errors="replace")
    ):
        yield "text that is shown in another order than it runs in"
    known = old.decode(errors="replace")
    if any(text not in known for text in _encoded(tree)):
        yield "encoded content in a literal"


def _cookie(content: bytes) -> bytes:
    """The encoding that a module declares in its first two lines (PEP 263), else UTF-8."""
    found = (match[1] for line in content.splitlines()[:2] if (match := _COOKIE.match(line)))
    return next(found, b"utf-8")


def _encoded(tree: ast.AST) -> Iterator[str]:
    """Parts of texts that only a decoder can read."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                yield from _ENCODED.findall(text)
            case ast.Constant(value=bytes(data)) if len(data) >= 100:
                text = data.decode(errors="replace")
                yield from _ENCODED.findall(text)
                if "\ufffd" in text or "\0" in text:
                    yield repr(data)
