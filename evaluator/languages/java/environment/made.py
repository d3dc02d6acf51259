"""What build tools made of the files of a tree, and which changes it knows nothing of."""

from __future__ import annotations

import filecmp
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

_DOCUMENTS = re.compile(
    r"\.(?!mvn/)[^/]*(?:/.*)?|(?:.*/)?(?:src/(?:changes|site)/.*|[^/]+\.(?:md|rst|adoc|apt|html))"
    r"|(?:.*/)?(?:[A-Z_-]+|release-notes/[^/]+)(?:\.txt)?"
)
"""What people read, and what steers other tools (`.github`)."""
_RESOURCE = re.compile(r"(?:.*/)?src/(?:main|test)/resources/(.+)")


def is_copied(file: Path, copied: Iterable[tuple[Path, Sequence[Path]]], tree: Path) -> bool:
    """Whether a file is the same as a resource: then that counts, which a change may edit.

    `copied` are directories that resources are copied to, with those below `tree` that they are
    from.
    """
    return any(
        _are_equal(tree / root / file.relative_to(output), file)
        for output, roots in copied
        if file.is_relative_to(output)
        for root in roots
    )


def _are_equal(source: Path, made: Path) -> bool:
    return source.is_file() and filecmp.cmp(source, made, shallow=False)


def any_is_made_of(paths: Iterable[str], overlays: Sequence[Path]) -> bool:
    """Whether something in overlays may have been made of one of these files.

    Sources of Java are compiled for each run; but classes of other languages may use them. A
    resource that lies as it is on the class path counts as it is, unless code is generated, which
    may be from resources too; of one that is filled in, there is another in its place.
    """
    read = [path for path in paths if not _is_document(path)]
    if not read:
        return False
    made = [file for overlay in overlays for file in overlay.rglob("*") if file.is_file()]
    compiled = any(file.suffix == ".class" for file in made)
    return any(_is_made_of(path, made) for path in read if compiled or not path.endswith(".java"))


def _is_document(path: str) -> bool:
    return _DOCUMENTS.fullmatch(path) is not None and not _RESOURCE.fullmatch(path)


def _is_made_of(path: str, made: Sequence[Path]) -> bool:
    resource = _RESOURCE.fullmatch(path)
    if resource is None or any(file.suffix == ".java" for file in made):
        return bool(made)
    copies = re.compile(rf".*/(?:[\w-]*classes|resources/[\w-]+)/{re.escape(resource[1])}")
    return any(copies.fullmatch(file.as_posix()) for file in made)
