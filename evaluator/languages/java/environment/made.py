"""What plug-ins made of the files of a tree, and which changes it knows nothing of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_DOCUMENTS = re.compile(
    r"\.(?!mvn/)[^/]*(?:/.*)?|(?:.*/)?(?:src/(?:changes|site)/.*|[^/]+\.(?:md|rst|adoc|apt|html))"
    r"|(?:.*/)?(?:[A-Z_-]+|release-notes/[^/]+)(?:\.txt)?"
)
"""What people read, and what steers other tools (`.github`)."""
_RESOURCE = re.compile(r"(?:.*/)?src/(?:main|test)/resources/(.+)")


def is_made_of(path: str, overlays: Sequence[Path]) -> bool:
    """Whether something in overlays may have been made of the file at `path`.

    Sources of Java are compiled for each run. A resource that lies as it is on the class path
    counts as it is, unless code is generated, which may be from resources too; of one that is
    filled in, there is another in its place.
    """
    resource = _RESOURCE.fullmatch(path)
    if path.endswith(".java") or (resource is None and _DOCUMENTS.fullmatch(path)):
        return False
    made = [file for overlay in overlays for file in overlay.rglob("*") if file.is_file()]
    if resource is None or any(file.suffix == ".java" for file in made):
        return bool(made)
    return any(file.as_posix().endswith(f"classes/{resource[1]}") for file in made)
