"""Turns the statements of a ticket into the body of a test."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from generator.issue_only.django.material import Material, Supplies
from generator.issue_only.django.names import bound_names
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

_OF_A_SITE = frozenset(
    {"DATABASES", "INSTALLED_APPS", "ROOT_URLCONF", "SECRET_KEY", "BASE_DIR", "MIDDLEWARE"}
)
_LAZY = frozenset(
    {"all", "filter", "exclude", "annotate", "alias", "values", "values_list", "order_by", "union"}
    | {"distinct", "only", "defer", "select_related", "prefetch_related", "none", "reverse"}
)
"""Methods that return a queryset, which asks the database nothing before it is read."""


def line_of(step: Statement, *, asked: bool = False) -> str:
    """A step as a line of a test: what is printed is only made, what is lazy is read.

    Where the database is to be `asked`, a query that is printed is sent to it.
    """
    node = step.node
    if isinstance(node, ast.Return) and node.value is not None:
        return read(node.value)
    if not isinstance(node, ast.Expr):
        return step.source
    printed = printed_value(node)
    if printed is not None:
        if asked and isinstance(printed, ast.Attribute) and printed.attr == "query":
            return read(printed.value)
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
    plain: bool = False,
) -> TestModule | None:
    """The module of one test method, None where a name is missing or no place is found.

    Unless it is `plain`, the settings that the ticket tells are those of the test.
    """
    lines = [*material.rows_for("\n".join(lines)), *lines]
    code = ast.parse("\n".join([*lines, *(f"({d})" for d in decorators)]) or "pass")
    given = _without(material.supplies([code]), imports)
    overrides = "" if decorators or plain else settings_of(material)
    if overrides:
        decorators = [f"override_settings({overrides})"]
        imports = [*imports, "from django.test import override_settings"]
    title = material.ticket.title
    test = method(method_name(title), lines, decorators)
    case = case_for(given, test)
    body = test_case(class_name(title), case, [test])
    return module(material, tree, given, [f"from django.test import {case}", *imports], body)


def _without(supplies: Supplies, imports: Iterable[str]) -> Supplies:
    """The supplies, with the names that imports give no longer missing."""
    given = {name for line in imports for name in bound_names(ast.parse(line).body[0])}
    return dataclasses.replace(supplies, missing=supplies.missing - given)


def settings_of(material: Material) -> str:
    """The settings that a ticket tells, as keyword arguments; those of a whole site are left."""
    if not re.search(r"\bsettings\b", material.ticket.text):
        return ""
    given = {n: v for n, v in material.settings.items() if n not in _OF_A_SITE}
    return ", ".join(f"{name}={value}" for name, value in given.items())


def case_for(supplies: Supplies, code: str) -> str:
    """The plainest test case that will do: with a database only where one is asked."""
    asks = re.search(r"\.objects\b|\bconnection\b|\.save\(|assertNumQueries", code)
    return "TestCase" if supplies.models or asks else "SimpleTestCase"


def label_of(tree: Path, supplies: Supplies) -> str:
    """The label of the application that a module with these models goes to."""
    folder = directory(tree, _modules(supplies.imports), supplies.models)
    return folder.rpartition("/")[2]


def module(
    material: Material, tree: Path, supplies: Supplies, imports: Iterable[str], body: str
) -> TestModule | None:
    """A test module in the directory that fits what it imports."""
    lines = [*supplies.imports, *imports]
    folder = directory(tree, _modules(lines), supplies.models)
    if supplies.missing or not folder:
        return None
    path = f"{folder}/{method_name(material.ticket.title)}.py"
    return TestModule(path, module_source(supplies, imports, body))


def _modules(lines: Iterable[str]) -> Iterator[str]:
    """The modules of Django, and of its tests, that import lines lead to."""
    for line in lines:
        found = re.match(r"(?:from|import) (django[\w.]*|\w+\.models)(?: import (\w+))?", line)
        if found and found[1] != "django.test":
            yield f"{found[1]}.{found[2] or ''}"
