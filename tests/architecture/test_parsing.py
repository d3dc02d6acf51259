"""Python is parsed in one place, one source at a time: making trees is not safe in threads."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture.test_circles import PACKAGES, modules

ELSEWHERE = {
    "evaluator.schemas": "reads our own sources",
    "generator.languages.python.issue_only.inside.fixgate_names": "runs in a sandbox",
    "generator.languages.python.issue_only.inside.fixgate_statements": "runs in a sandbox",
}
PARSING = "evaluator.languages.python.parsing"


def makes_trees(file: Path) -> bool:
    """Whether a module names `ast.parse`."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == "parse"
        and isinstance(node.value, ast.Name)
        and node.value.id == "ast"
        for node in ast.walk(ast.parse(file.read_text()))
    )


@pytest.mark.parametrize("name", PACKAGES)
def test_only_one_module_makes_syntax_trees(name: str) -> None:
    made = {module for module, file in modules(name).items() if makes_trees(file)}
    allowed = {module for module in (PARSING, *ELSEWHERE) if module.startswith(f"{name}.")}
    assert made == allowed
