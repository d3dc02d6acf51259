"""Which changed files cannot be read, and so cannot be known to be clean."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import PurePosixPath

from evaluator.diff import Source
from evaluator.languages import is_test_file, languages
from evaluator.languages.safeguards import Concern
from evaluator.languages.sources import Changed

_COMPILED = frozenset({".so", ".dll", ".dylib", ".o", ".a", ".wasm", ".exe", ".class"})
_ARCHIVES = frozenset({".zip", ".jar", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst", ".7z"})
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


def unreadable(changed: Changed, source: Source) -> tuple[Concern, ...]:
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
    known = [language.safeguards for language in languages()]
    if suffix in _COMPILED or any(suffix in safeguards.compiled for safeguards in known):
        return "compiled code"
    if is_test_file(path):
        return ""
    hidden = (safeguards.hidden(path, old or b"", new) for safeguards in known)
    return next(itertools.chain.from_iterable(hidden), "") or _binary(suffix, new)


def _binary(suffix: str, new: bytes) -> str:
    """What kind of binary file it is that cannot be read; "" for text, and for pictures."""
    if suffix in _ARCHIVES:
        return "an archive"
    for language in languages():
        if suffix in language.safeguards.opaque:
            return language.safeguards.opaque[suffix]
    if b"\0" not in new or new.startswith(_PICTURES.get(suffix, ())):
        return ""
    return "a binary file"
