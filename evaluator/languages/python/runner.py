"""What runs tests inside the target's interpreter."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from evaluator.storage.keys import digest_of

PROBE = Path(__file__).parent / "probe"


@dataclass(frozen=True)
class PythonRunner:
    """The probe, which needs nothing but the standard library of Python 3.6 or newer."""

    probe: Path = PROBE

    @property
    def digest(self) -> str:
        """Of the probe and of what decides how it is called."""
        return _digest()

    def forget_compiled(self, tree: Path, path: str) -> None:
        """Remove the bytecode of a module."""
        file = tree / path
        for compiled in file.parent.glob(f"__pycache__/{file.stem}.*.pyc"):
            compiled.unlink()


@functools.cache
def _digest() -> str:
    here = Path(__file__).parent
    sources = [
        here / "environment" / "types.py",
        *PROBE.glob("*.py"),
        *(here / "frameworks").glob("*.py"),
    ]
    return digest_of(sorted(sources))
