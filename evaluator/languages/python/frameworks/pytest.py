"""pytest, from 2.8 on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from evaluator.languages.python.frameworks.files import holds_tests

NOT_RUN = frozenset({"__init__.py", "conftest.py"})


@dataclass(frozen=True)
class Pytest:
    """Files are given as they are; outcomes come from a plugin object."""

    runner: str = "pytest"
    variables: Mapping[str, str] = field(default_factory=dict)

    def selects(self, path: str, tree: Path) -> bool:
        """Python files that define tests; for a package's file pytest would collect all of it."""
        return PurePosixPath(path).name not in NOT_RUN and holds_tests(path, tree)

    def label(self, path: str) -> str:
        """The path itself, kept from being taken for an option."""
        return f"./{path}" if path.startswith("-") else path

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """As the reference harness calls pytest, without colors."""
        return ("-rA", "-p", "no:cacheprovider", "--color=no", *extra, *labels)

    def program(self) -> tuple[str, ...]:
        """The framework's own command."""
        return ("python", "-m", "pytest")
