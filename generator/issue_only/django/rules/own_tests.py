"""Tests that the ticket itself shows."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path

from generator.issue_only.django.attempt import (
    Attempt,
    any_of,
    reported_assertion,
    reported_error,
    same_type,
)
from generator.issue_only.django.material import Material
from generator.issue_only.django.steps import module
from generator.issue_only.django.writing import class_name

_ISOLATED = frozenset({"SimpleTestCase", "TestCase", "TransactionTestCase"})


def own_tests(material: Material, tree: Path) -> Iterator[Attempt]:
    """Test classes as they stand, and test methods that lost their class."""
    shown = [c for c in material.classes.values() if _is_test_case(c)]
    if not shown:
        shown = _gathered(material)
    text = material.ticket.text
    for case in shown:
        supplies = material.supplies([case])
        body = "\n".join([ast.unparse(case)])
        made = module(material, tree, supplies, ["from django.test import TestCase"], body)
        if made is not None and "def test" in body:
            shows = any_of(reported_assertion(text), reported_error(text), same_type(text))
            if material.makes_up(supplies):
                shows = reported_error(text, made_up=True)
            yield Attempt("own_test", 0.75, made, shows, "its own test fails")


def _is_test_case(node: ast.ClassDef) -> bool:
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    return bool(bases & _ISOLATED)


def _gathered(material: Material) -> list[ast.ClassDef]:
    """One class of the test methods that stand alone, the last of each name, with their setup."""
    methods = {m.name: m for m in material.methods if _belongs(m.name)}
    if not any(name.startswith("test") for name in methods):
        return []
    body = "\n\n".join(ast.unparse(method) for method in methods.values())
    name = class_name(material.ticket.title)
    node = ast.parse(f"class {name}(TestCase):\n{textwrap.indent(body, '    ')}").body[0]
    assert isinstance(node, ast.ClassDef)
    return [node]


def _belongs(name: str) -> bool:
    return name.startswith("test") or name in ("setUp", "setUpTestData")
