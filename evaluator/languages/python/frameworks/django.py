"""The runner of Django's own test suite, `tests/runtests.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.languages.python.frameworks.files import holds_tests, module_name


@dataclass(frozen=True)
class Django:
    """Files are given as labels below `tests/`; outcomes come from unittest's result object."""

    runner: str = "django"
    variables: Mapping[str, str] = field(default_factory=dict)

    def selects(self, path: str, tree: Path) -> bool:
        """Python files that define tests."""
        return holds_tests(path, tree)

    def label(self, path: str) -> str:
        """The dotted name without `tests`: `tests/admin_views/tests.py` is `admin_views.tests`."""
        return module_name(path.removeprefix("tests/"))

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """As the reference harness calls it."""
        fixed = ("--verbosity", "2", "--settings=test_sqlite", "--parallel", "1")
        return (*fixed, *extra, *labels)

    def program(self) -> tuple[str, ...]:
        """Django's own script."""
        return ("python", "tests/runtests.py")
