"""Nothing knows a language but its own folder, and the registry that names it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import evaluator
import generator
from evaluator.languages import languages

NAMES = [language.name for language in languages()]


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def knowing(root: Path, language: str) -> set[str]:
    """The files below a root that import a language, without those in its own folder."""
    packages = tuple(f"{part}.languages.{language}." for part in ("evaluator", "generator"))
    return {
        file.relative_to(root).as_posix()
        for file in root.rglob("*.py")
        if not file.is_relative_to(root / "languages" / language)
        and any(f"{name}.".startswith(packages) for name in imported(file))
    }


@pytest.mark.parametrize("language", NAMES)
def test_nothing_of_the_evaluator_imports_a_language(language: str) -> None:
    """The registry loads them by name; Tests4J is a benchmark of Java's tests alone."""
    found = knowing(Path(evaluator.__file__).parent, language)
    benchmark = "benchmarks/tests4j/" if language == "java" else "/"
    assert {file for file in found if not file.startswith(benchmark)} == set()


@pytest.mark.parametrize("language", NAMES)
def test_nothing_of_the_generator_but_replies_imports_a_language(language: str) -> None:
    """Models write calls and values in Python's notation, whatever the language of the tests.

    `unit_tests` writes for Tests4J, a benchmark of Java's tests alone.
    """
    allowed = {"replies/answers.py"} if language == "python" else set()
    found = knowing(Path(generator.__file__).parent, language)
    of_benchmark = ("unit_tests/", "commands/tests4j_") if language == "java" else ()
    assert {file for file in found if not file.startswith(of_benchmark)} <= allowed
