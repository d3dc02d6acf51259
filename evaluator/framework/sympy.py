"""The framework's own runner, `bin/test`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from evaluator.framework.protocol import holds_tests

# The options of the command; the probe calls the runner's function with the same meaning.
COMMAND_OPTIONS = ("-C", "--verbose")


@dataclass(frozen=True)
class Sympy:
    """Files are given as they are; outcomes come from the reporter. `-C` is a variable here."""

    runner: str = "sympy"
    variables: Mapping[str, str] = field(default_factory=lambda: {"SYMPY_USE_CACHE": "no"})

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
        return ("python", "bin/test", *COMMAND_OPTIONS)
