"""No module needs itself by way of others: what is imported can be read, and changed, alone."""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import bot
import evaluator
import generator

PACKAGES = {package.__name__: package for package in (bot, evaluator, generator)}


def modules(name: str) -> Mapping[str, Path]:
    """The modules of a package by their dotted names."""
    folder = Path(str(PACKAGES[name].__file__)).parent
    return {_dotted(file.relative_to(folder.parent)): file for file in folder.rglob("*.py")}


def _dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def imports(file: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """The modules among the known ones that a file names in its imports."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            within = [name for name in names if name in known]
            whole = [node.module] if len(within) < len(names) and node.module in known else []
            yield from (*within, *whole)


@pytest.mark.parametrize("name", PACKAGES)
def test_modules_do_not_import_one_another_in_a_circle(name: str) -> None:
    known = modules(name)
    graph = {module: set(imports(file, known)) - {module} for module, file in known.items()}
    assert sum(map(len, graph.values())) > len(graph)
    graphlib.TopologicalSorter(graph).prepare()
