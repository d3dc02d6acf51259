"""Which changed files cannot be read, and so cannot be known to be clean."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.python_source import parsed_leniently
from evaluator.verdict.evidence import Concern

_COMPILED = frozenset(
    {".pyc", ".pyo", ".so", ".pyd", ".dll", ".dylib", ".o", ".a", ".wasm", ".exe", ".class"}
)
_PICKLED = frozenset({".pkl", ".pickle", ".pck", ".dill", ".joblib", ".npy", ".npz", ".pt"})
_ARCHIVES = frozenset(
    {".zip", ".egg", ".whl", ".jar", ".pyz", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst", ".7z"}
)
_PICTURES: Mapping[str, tuple[bytes, ...]] = {
    ".png": (b"\x89PNG\r\n",),
    ".jpg": (b"\xff\xd8\xff",),
    ".jpeg": (b"\xff\xd8\xff",),
    ".gif": (b"GIF8",),
    ".ico": (b"\0\0\1\0",),
    ".webp": (b"RIFF",),
    ".pdf": (b"%PDF",),
    ".woff": (b"wOFF",),
    ".woff2": (b"wOF2",),
    ".ttf": (b"\0\1\0\0", b"true"),
    ".otf": (b"OTTO",),
    ".mo": (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde"),
}
"""Binary files that nothing runs, by what they begin with."""
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_PLAIN = re.compile(rb"utf-?8(-sig)?|(us-)?ascii|latin-?1|iso-?8859-?1", re.IGNORECASE)
_ENCODED = re.compile(r"[A-Za-z0-9+/=_\\-]{400,}")
"""A text so long without a blank says something to a decoder only."""
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Marks that show source in another order than the one it runs in (CVE-2021-42574)."""


def unreadable(changed: Mapping[str, bytes | None], source: Source) -> tuple[Concern, ...]:
    """Those of the files with new contents that hide what they do, each with how.

    Data of tests may be anything but compiled: nothing runs it but tests.
    """
    return tuple(
        Concern(path, what)
        for path, new in sorted(changed.items())
        if new is not None and (what := _hides(path, source(path), new))
    )


def _hides(path: str, old: bytes | None, new: bytes) -> str:
    if not path.isprintable():
        return "a name that cannot be shown"
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in _COMPILED:
        return "compiled code"
    if is_test_file(path):
        return ""
    if suffix in (".py", ".pyw"):
        return next(_hidden_in_python(old or b"", new), "")
    return _binary(suffix, new)


def _binary(suffix: str, new: bytes) -> str:
    """What kind of binary file it is that cannot be read; "" for text, and for pictures."""
    if suffix in _PICKLED:
        return "serialised objects"
    if suffix in _ARCHIVES:
        return "an archive"
    if b"\0" not in new or new.startswith(_PICTURES.get(suffix, ())):
        return ""
    return "a binary file"


def _hidden_in_python(old: bytes, new: bytes) -> Iterator[str]:
    cookie = _cookie(new)
    if not _PLAIN.fullmatch(cookie) and cookie != _cookie(old):
        yield f"source in the encoding {cookie.decode()}"
    tree = parsed_leniently(new)
    if tree is None:
        yield "not Python that can be read"
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
