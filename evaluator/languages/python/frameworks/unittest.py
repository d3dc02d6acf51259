"""unittest, with the loader and the text runner of the standard library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.languages.python.frameworks.files import holds_tests, module_name


@dataclass(frozen=True)
class Unittest:
    """Files are given as dotted module names; outcomes come from the result object."""

    runner: str = "unittest"
    variables: Mapping[str, str] = field(default_factory=dict)

    def selects(self, path: str, tree: Path) -> bool:
        """Python files that define tests."""
        return holds_tests(path, tree)

    def label(self, path: str) -> str:
        """The module's dotted name from the root of the tree."""
        return module_name(path)

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """The module names; options of the recipe have no place here."""
        return (*extra, *labels)

    def program(self) -> tuple[str, ...]:
        """The framework's own command."""
        return ("python", "-m", "unittest", "-v")
