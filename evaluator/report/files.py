"""Files that are either whole or absent, and names that are safe as file names."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path

LONGEST_NAME = 120


def write_whole(path: Path, text: str) -> None:
    """Write UTF-8 text so that a kill at any moment leaves the old file or the new one.

    Lone surrogates, which test output can hold, become question marks.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="") as stream:
            stream.write(text)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def safe_name(name: str) -> str:
    """A name usable as one path component; distinct names stay distinct."""
    cleaned = re.sub(r"[^A-Za-z0-9._+-]", "_", name).lstrip(".")[:LONGEST_NAME]
    if cleaned == name:
        return cleaned
    return f"{cleaned}-{hashlib.sha256(os.fsencode(name)).hexdigest()[:8]}"
