"""What runs tests in a Java virtual machine."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from evaluator.storage.keys import digest_of

PROBE = Path(__file__).parent / "probe"


@dataclass(frozen=True)
class JavaRunner:
    """The probe: a supervisor in Python, and Java sources that are compiled once."""

    probe: Path = PROBE

    @property
    def digest(self) -> str:
        """Of the probe and of what decides how it is called."""
        return _digest()

    def forget_compiled(self, tree: Path, path: str) -> None:
        """Nothing is compiled into the tree."""


@functools.cache
def _digest() -> str:
    here = Path(__file__).parent
    sources = [
        *(here / "environment").glob("*.py"),
        *(here / "frameworks").glob("*.py"),
        *PROBE.rglob("*.java"),
        *PROBE.glob("*.py"),
    ]
    return digest_of(sorted(sources))
