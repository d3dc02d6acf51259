"""Tells the statements of a ticket apart: definitions, imports, settings, steps to run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from generator.issue_only.django.names import Names, free_names
from generator.issue_only.django.reading import Statement

_Defined = TypeVar("_Defined", ast.ClassDef, ast.FunctionDef)


def first_of_each(nodes: Iterable[_Defined]) -> dict[str, _Defined]:
    """Definitions by name, the first of each."""
    found: dict[str, _Defined] = {}
    for node in nodes:
        found.setdefault(node.name, node)
    return found


def is_method(node: ast.FunctionDef) -> bool:
    """Whether a function is one that lost its class."""
    return [argument.arg for argument in node.args.args[:1]] in (["self"], ["cls"])


def working_imports(nodes: Iterable[ast.stmt], names: Names) -> tuple[dict[str, str], set[str]]:
    """Import lines that work, by the name they bind; and names of classes that others hold."""
    working: dict[str, str] = {}
    unknown: set[str] = set()
    for node in nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for alias in node.names:
            bound = alias.asname or alias.name
            if isinstance(node, ast.Import):
                found, line = names.resolves(alias.name), f"import {ast.unparse(alias)}"
            else:
                module = node.module or ""
                found = not node.level and names.resolves(module, alias.name)
                line = f"from {module} import {ast.unparse(alias)}"
            if found:
                working.setdefault(bound.partition(".")[0], line)
            elif isinstance(node, ast.ImportFrom) and "models" in (node.module or ""):
                unknown.add(bound)
    return working, unknown


def told_settings(statements: Iterable[Statement]) -> dict[str, str]:
    """Assignments that look like those of a settings module, the first of each name."""
    found: dict[str, str] = {}
    for statement in statements:
        if statement.name.isupper() and len(statement.name) > 1:
            node = statement.node
            if isinstance(node, ast.Assign) and not free_names(node):
                found.setdefault(statement.name, ast.unparse(node.value))
    return found


def is_step(statement: Statement, settings: Mapping[str, str]) -> bool:
    """Whether a statement does something, settings and definitions aside."""
    node = statement.node
    if isinstance(node, ast.Expr | ast.Assign | ast.AugAssign | ast.With | ast.For | ast.Assert):
        return statement.name not in settings and not _sets_up(statement.source)
    return isinstance(node, ast.Return) and node.value is not None


def _sets_up(source: str) -> bool:
    """Whether a step does what a test runner has done long before."""
    return bool(re.match(r"(?:django\.)?(?:setup\(\)|settings\.configure\()", source))


def only_asserts(step: Statement) -> bool:
    """Whether a step asks nothing of the test that it stands in but to assert."""
    used = re.findall(r"\bself\.(\w+)", step.source)
    return all(name.startswith("assert") for name in used)
