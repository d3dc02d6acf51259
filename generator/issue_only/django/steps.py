"""Turns the statements of a ticket into the body of a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from generator.issue_only.django.material import Material, Supplies
from generator.issue_only.django.reading import Statement
from generator.issue_only.django.writing import (
    TestModule,
    class_name,
    directory,
    method,
    method_name,
    module_source,
    test_case,
)

_LAZY = frozenset(
    {"all", "filter", "exclude", "annotate", "alias", "values", "values_list", "order_by", "union"}
    | {"distinct", "only", "defer", "select_related", "prefetch_related", "none", "reverse"}
)
"""Methods that return a queryset, which asks the database nothing before it is read."""


def line_of(step: Statement) -> str:
    """A step as a line of a test: what is printed is only made, what is lazy is read."""
    node = step.node
    if isinstance(node, ast.Return) and node.value is not None:
        return read(node.value)
    if not isinstance(node, ast.Expr):
        return step.source
    printed = printed_value(node)
    if printed is not None:
        return f"str({ast.unparse(printed)})"
    if step.typed and not isinstance(node.value, ast.Call):
        return f"repr({ast.unparse(node.value)})"
    return read(node.value) if _is_lazy(node.value) else step.source


def read(value: ast.expr) -> str:
    """An expression, read to its end where it is a queryset."""
    source = ast.unparse(value)
    return f"list({source})" if _is_lazy(value) else source


def printed_value(node: ast.stmt) -> ast.expr | None:
    """The one thing that a statement prints."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = ast.unparse(node.value.func)
        if called in ("print", "pprint.pprint", "pprint") and len(node.value.args) == 1:
            return node.value.args[0]
    return None


def _is_lazy(value: ast.expr) -> bool:
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
        return False
    return value.func.attr in _LAZY and ".objects" in ast.unparse(value)


def written(
    material: Material,
    tree: Path,
    lines: Sequence[str],
    *,
    decorators: Iterable[str] = (),
    imports: Iterable[str] = (),
    supplies: Supplies | None = None,
) -> TestModule | None:
    """The module of one test method, None where a name is missing or no place is found."""
    code = ast.parse("\n".join([*lines, *(f"({d})" for d in decorators)]) or "pass")
    given = supplies or material.supplies([code])
    title = material.ticket.title
    test = method(method_name(title), lines, decorators)
    case = case_for(given, test)
    body = test_case(class_name(title), case, [test])
    return module(material, tree, given, [f"from django.test import {case}", *imports], body)


def case_for(supplies: Supplies, code: str) -> str:
    """The plainest test case that will do: with a database only where one is asked."""
    asks = re.search(r"\.objects\b|\bconnection\b|\.save\(|assertNumQueries", code)
    return "TestCase" if models_in(supplies) or asks else "SimpleTestCase"


def models_in(supplies: Supplies) -> tuple[str, ...]:
    """The classes among definitions that need a place among applications."""
    classes = [node for node in supplies.definitions if isinstance(node, ast.ClassDef)]
    direct = {c.name for c in classes if any("Model" in ast.unparse(b) for b in c.bases)}
    derived = {c.name for c in classes if {ast.unparse(b) for b in c.bases} & direct}
    return tuple(sorted(direct | derived))


def module(
    material: Material, tree: Path, supplies: Supplies, imports: Iterable[str], body: str
) -> TestModule | None:
    """A test module in the directory that fits what it imports."""
    lines = [*supplies.imports, *imports]
    folder = directory(tree, _modules(lines), models_in(supplies))
    if supplies.missing or not folder:
        return None
    path = f"{folder}/{method_name(material.ticket.title)}.py"
    return TestModule(path, module_source(supplies, imports, body))


def _modules(lines: Iterable[str]) -> Iterator[str]:
    """The modules of Django that import lines lead to."""
    for line in lines:
        found = re.match(r"(?:from|import) (django[\w.]*)(?: import (\w+))?", line)
        if found and found[1] != "django.test":
            yield f"{found[1]}.{found[2] or ''}"
