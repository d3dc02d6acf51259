"""The locales of this machine, which tests in its sandboxes have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_PLACE = Path("/usr/lib/locale")


def installed_locales() -> Sequence[tuple[str, int]]:
    """The files and directories that locales are read from, with their sizes in bytes.

    https://man7.org/linux/man-pages/man5/locale.5.html
    """
    found = _PLACE.iterdir() if _PLACE.is_dir() else ()
    return sorted((place.name, place.stat().st_size) for place in found)
