"""Methods of models that Django replaces, against what Python promises."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from generator.issue_only.django.attempt import Attempt, assertion_fails
from generator.issue_only.django.isolated import isolated
from generator.issue_only.django.material import Material


def overridden_methods(material: Material, _tree: Path) -> Iterator[Attempt]:
    """A method that returns a constant returns another one."""
    if not re.search(r"\boverrid", material.ticket.text):
        return
    for name in sorted(material.models):
        for method, value in _constant(material.classes[name]):
            line = f"self.assertEqual({name}().{method}(), {value!r})"
            module = isolated(material, [line])
            if module is not None:
                words = f"{name}.{method}() is not the one that the model defines"
                yield Attempt("override", 0.9, module, assertion_fails, words)


def _constant(node: ast.ClassDef) -> Iterator[tuple[str, object]]:
    """Methods that do nothing but return a constant."""
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and len(part.args.args) == len(part.body) == 1:
            last = part.body[0]
            if isinstance(last, ast.Return) and isinstance(last.value, ast.Constant):
                yield part.name, last.value.value
