"""Nothing in `evaluator` knows Python but Python's own folder, and the registry that names it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import evaluator

ROOT = Path(evaluator.__file__).parent
OWN = ROOT / "languages" / "python"


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_only_the_registry_imports_a_language() -> None:
    outside = [file for file in ROOT.rglob("*.py") if not file.is_relative_to(OWN)]
    knowing = {
        file.relative_to(ROOT).as_posix()
        for file in outside
        if any(f"{name}.".startswith("evaluator.languages.python.") for name in imported(file))
    }
    assert knowing == {"languages/registry.py"}
