"""The interpreters that targets use, as far as this machine has them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

MINORS = tuple(range(6, 14))


def python(minor: int) -> Path:
    """A Python 3.`minor` from pyenv or the search path; skips the test where there is none."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [
        *sorted(root.glob(f"3.{minor}.*/bin/python")),
        *(Path(entry) / f"python3.{minor}" for entry in os.get_exec_path()),
    ]
    found = next((path for path in candidates if path.is_file()), None)
    if found is None:
        pytest.skip(f"no Python 3.{minor} is installed")
    return found
