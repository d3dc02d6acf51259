"""Submodules: other repositories within a tree, of which a checkout has empty directories."""

from __future__ import annotations

import re
from pathlib import Path

_PATH = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(\S[^\n]*)$", re.MULTILINE)


def submodule_named(text: str, tree: Path) -> str:
    """The path of a submodule of a tree that a text names, or names something in; "" for none.

    See https://git-scm.com/docs/gitmodules.
    """
    try:
        described = (tree / ".gitmodules").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    paths = (path.strip().strip('"').rstrip("/") for path in _PATH.findall(described))
    named = (path for path in paths if re.search(rf"(?<![\w.-]){re.escape(path)}(?![\w.-])", text))
    return max(named, key=len, default="")
