"""The framework's own runner, `bin/test`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from evaluator.languages.python.frameworks.files import holds_tests


@dataclass(frozen=True)
class Sympy:
    """Files are given as they are; outcomes come from the reporter.

    sympy's cache is on, as its own `bin/test` has it. The reference harness switches it off
    (`-C`), which makes recursive functions exponential: `test_bell` of sympy 1.1 takes minutes
    instead of seconds. A recipe gets the reference's way by SYMPY_USE_CACHE=no.
    """

    runner: str = "sympy"
    variables: Mapping[str, str] = field(default_factory=dict)

    def selects(self, path: str, tree: Path) -> bool:
        """What sympy's runner finds by itself: `test_*.py` below `sympy/`."""
        pure = PurePosixPath(path)
        found = pure.parts[0] == "sympy" and pure.match("test_*.py")
        return found and holds_tests(path, tree)

    def label(self, path: str) -> str:
        """The path itself."""
        return path

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """The paths; options of the recipe have no place here."""
        return (*extra, *labels)

    def program(self) -> tuple[str, ...]:
        """The framework's own script."""
        return ("python", "bin/test", "--verbose")
