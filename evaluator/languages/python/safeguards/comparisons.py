"""Classes whose objects compare as nobody's do: equal to whatever a test expects."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from evaluator.languages.python.parsing import Function

_BASES = frozenset(
    {"str", "bytes", "int", "float", "complex", "bool", "list", "tuple", "dict", "set"}
    | {"frozenset", "Decimal", "Fraction", "ndarray", "date", "datetime"}
)
_SAYING_YES = frozenset({"__eq__", "__contains__", "__le__", "__ge__", "__lt__", "__gt__"})
_SAYING_YES |= {"__instancecheck__", "__subclasscheck__", "__subclasshook__"}
_COMPARING = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"})


def lying_classes(tree: ast.AST) -> Iterator[str]:
    """Comparisons that ask nothing of one side, and those that values of built-in types get."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{name} lies" for name in _lies(node))


def _lies(cls: ast.ClassDef) -> Iterator[str]:
    builtin = any(isinstance(base, ast.Name) and base.id in _BASES for base in cls.bases)
    for statement in cls.body:
        match statement:
            case ast.FunctionDef(name="__class__"):
                yield "__class__"
            case ast.FunctionDef(name=name) if name in _COMPARING and builtin:
                yield name
            case ast.FunctionDef(name=name) if _asks_nothing(statement):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _COMPARING:
                if builtin or isinstance(value, ast.Lambda):
                    yield name


def _asks_nothing(function: Function) -> bool:
    """Whether a comparison answers without a look at what it compares."""
    wanted = function.name == "__ne__", function.name in _SAYING_YES
    if not any(wanted):
        return False
    answers = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    yes = not wanted[0]
    return bool(answers) and all(
        isinstance(a.value, ast.Constant) and a.value.value is yes for a in answers
    )
