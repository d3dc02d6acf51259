"""Nothing in `evaluator` knows a language but its own folder, and the registry that names it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import evaluator
from evaluator.languages import languages

ROOT = Path(evaluator.__file__).parent


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("language", [language.name for language in languages()])
def test_only_the_registry_imports_a_language(language: str) -> None:
    own = ROOT / "languages" / language
    outside = [file for file in ROOT.rglob("*.py") if not file.is_relative_to(own)]
    package = f"evaluator.languages.{language}."
    knowing = {
        file.relative_to(ROOT).as_posix()
        for file in outside
        if any(f"{name}.".startswith(package) for name in imported(file))
    }
    assert knowing == {"languages/registry.py"}
