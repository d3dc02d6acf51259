"""Tests that define a ticket's models themselves, out of reach of the applications around them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from generator.issue_only.django.material import Material, Supplies
from generator.issue_only.django.writing import (
    TestModule,
    class_name,
    method,
    method_name,
    module_source,
    test_case,
)

APPLICATION = "invalid_models_tests"
"""The application among Django's tests whose models are defined in tests."""


REGISTRY = "app_configs=apps.get_app_configs()"
"""The argument by which checks look at the models of an isolated test alone."""


def isolated(
    material: Material,
    lines: Sequence[str],
    *,
    imports: Iterable[str] = (),
    decorators: Iterable[str] = (),
    all_models: bool = False,
) -> TestModule | None:
    """A test that defines the models that it needs, or all, and then runs `lines`.

    No table is made for them, and `apps` is the registry that they are in. None where a name is
    missing.
    """
    wanted = [ast.Name(name, ast.Load()) for name in material.models] if all_models else []
    given = material.supplies([ast.parse("\n".join(lines)), *wanted])
    inner = [
        node
        for node in given.definitions
        if isinstance(node, ast.ClassDef) and node.name in given.models
    ]
    outer = tuple(node for node in given.definitions if node not in inner)
    if given.missing - {"apps"}:
        return None
    title = material.ticket.title
    body = [line for node in inner for line in (ast.unparse(node), "")] + list(lines)
    given_apps = ", kwarg_name='apps'" if REGISTRY in "\n".join(lines) else ""
    registry = f"isolate_apps({APPLICATION!r}{given_apps})"
    arguments = "self, apps" if given_apps else "self"
    test = method(method_name(title), body, [registry, *decorators], arguments)
    needed = [
        "from django.test import SimpleTestCase",
        "from django.test.utils import isolate_apps",
        *imports,
    ]
    source = module_source(
        Supplies(given.imports, outer, (), frozenset()),
        needed,
        test_case(class_name(title), "SimpleTestCase", [test]),
    )
    return TestModule(f"tests/{APPLICATION}/{method_name(title)}.py", source)
