"""Whether a repository's tests make errors of warnings."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

_FILES = ("pytest.ini", "setup.cfg", "tox.ini", "pyproject.toml")
_DEPTH = 3
"""How many folders deep a `conftest.py` is looked for."""
_ERROR = re.compile(
    r"filterwarnings[\s\"'=:,\[()]*error\b|simplefilter\(\s*[\"']error[\"']\s*\)", re.MULTILINE
)


def warnings_are_errors(tree: Path) -> bool:
    """Whether the configuration of the tests says that any warning fails the test it comes in."""
    patterns = ["/".join(["*"] * depth + ["conftest.py"]) for depth in range(_DEPTH + 1)]
    conftests = itertools.chain.from_iterable(tree.glob(pattern) for pattern in patterns)
    files = [*(tree / name for name in _FILES), *sorted(conftests)]
    return any(_ERROR.search(_text(file)) for file in files if file.is_file())


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
