"""Tests that define a ticket's models themselves, out of reach of the applications around them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence

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


_IMPORTS = ("from django.test import SimpleTestCase", "from django.test.utils import isolate_apps")
REGISTRY = "app_configs=apps.get_app_configs()"
"""The argument by which checks look at the models of an isolated test alone."""


def isolated(
    material: Material,
    lines: Sequence[str],
    *,
    imports: Iterable[str] = (),
    decorators: Iterable[str] = (),
    without: Collection[str] = (),
    all_models: bool = False,
) -> TestModule | None:
    """A test that defines the models that it needs, or all, `without` some, and runs `lines`.

    No table is made for them, and `apps` is the registry that they are in. None where a name is
    missing.
    """
    wanted = [ast.Name(name, ast.Load()) for name in material.models] if all_models else []
    given = material.supplies([ast.parse("\n".join(lines)), *wanted])
    if given.missing - {"apps"}:
        return None
    name = method_name(material.ticket.title)
    chosen = [node for node in given.definitions if _name(node) not in without]
    models = [ast.unparse(node) for node in chosen if _name(node) in given.models]
    body = [part for model in models for part in (model, "")] + list(lines)
    test = _method(name, body, decorators)
    outer = tuple(node for node in chosen if _name(node) not in given.models)
    source = module_source(
        Supplies(given.imports, outer, (), frozenset()),
        [*_IMPORTS, *imports],
        test_case(class_name(material.ticket.title), "SimpleTestCase", [test]),
    )
    return TestModule(f"tests/{APPLICATION}/{name}.py", source)


def _method(name: str, body: Sequence[str], decorators: Iterable[str]) -> str:
    """The test method; it is given the registry where it asks for it."""
    asks = REGISTRY in "\n".join(body)
    isolating = f"isolate_apps({APPLICATION!r}{', kwarg_name=' + repr('apps') if asks else ''})"
    return method(name, body, [isolating, *decorators], "self, apps" if asks else "self")


def _name(node: ast.stmt) -> str:
    return node.name if isinstance(node, ast.ClassDef) else ""
