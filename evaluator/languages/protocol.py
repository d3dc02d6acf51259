"""What differs between languages: one value of small parts each; everything else knows none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class TestFiles(Protocol):
    """Which files are tests, by their paths relative to the repository alone."""

    @property
    def produced(self) -> frozenset[str]:
        """Names of directories that tools leave behind in a tree: caches, compiled files."""
        ...

    def is_test(self, path: str) -> bool:
        """Whether a file belongs to a project's tests: a test, its helpers, or its data."""
        ...

    def is_runnable(self, path: str) -> bool:
        """Whether a test framework can be given a file, where it is one of the tests."""
        ...


@dataclass(frozen=True)
class Language:
    """One language that tests and code are written in.

    `name` is what datasets and recipes call it; `suffixes` are those of its source files (`.py`).
    """

    name: str
    suffixes: tuple[str, ...]
    tests: TestFiles
