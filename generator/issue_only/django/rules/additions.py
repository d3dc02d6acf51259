"""Test methods that the ticket would add to a test file of Django which it names."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from pathlib import Path

from evaluator.python_source import parsed
from generator.issue_only.django.attempt import (
    TELLS_OF_ERROR,
    Attempt,
    any_of,
    reported_assertion,
    reported_error,
    same_type,
)
from generator.issue_only.django.material import Material
from generator.issue_only.django.names import bound_names, free_names
from generator.issue_only.django.steps import read
from generator.issue_only.django.writing import TestModule

_FILE = re.compile(r"\btests/(?:\w+/)+\w+\.py\b")


def added_tests(material: Material, tree: Path) -> Iterator[Attempt]:
    """The last method of each name, in the class that has it already or in the first one."""
    text = material.ticket.text
    dies = TELLS_OF_ERROR.search(text) and "AssertionError" not in text
    methods = {
        m.name: _seen(m) if dies else m for m in material.methods if m.name.startswith("test")
    }
    for path in dict.fromkeys(_FILE.findall(text)):
        file = tree / path
        standing = parsed(file.read_text(errors="replace")) if file.is_file() else None
        for method in methods.values() if standing else ():
            module = _added(material, standing, path, method) if standing else None
            if module is not None:
                shows = any_of(reported_assertion(text), reported_error(text), same_type(text))
                yield Attempt("added_test", 0.7, module, shows, "its own test fails")


def _seen(method: ast.FunctionDef) -> ast.FunctionDef:
    """The method without its one assertion, of which an exception keeps everybody from knowing.

    What is asserted of is read all the same. A method that does more stays as it is.
    """
    only = method.body[0]
    call = only.value if isinstance(only, ast.Expr) and len(method.body) == 1 else None
    if not (isinstance(call, ast.Call) and ast.unparse(call.func).startswith("self.assert")):
        return method
    seen = copy.copy(method)
    seen.body = [ast.parse(read(call.args[0])).body[0]] if call.args else method.body
    return seen


def _added(
    material: Material, standing: ast.Module, path: str, method: ast.FunctionDef
) -> TestModule | None:
    classes = [node for node in standing.body if isinstance(node, ast.ClassDef)]
    having = [node for node in classes if method.name in _methods(node)]
    cases = [c for c in classes if any("TestCase" in ast.unparse(base) for base in c.bases)]
    if not having + cases:
        return None
    home = (having + cases)[0]
    known = {name for node in standing.body for name in bound_names(node)}
    lacking = free_names(method) - known - {"self"}
    imports = [material.import_of(name) for name in sorted(lacking)]
    if not all(imports):
        return None
    name = f"{method.name}_reported" if method.name in _methods(home) else method.name
    source = re.sub(rf"^def {method.name}\b", f"def {name}", ast.unparse(method))
    lines = [*imports, "", source] if imports else [source]
    return TestModule(path, "\n".join(lines) + "\n", line=home.end_lineno, method=name)


def _methods(node: ast.ClassDef) -> set[str]:
    return {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
