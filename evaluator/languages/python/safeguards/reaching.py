"""What in a change's code reaches for the machinery that runs it, found without running it.

Code and tests share one process, so that code which knows that it is being tested, or which changes
what runs it, can have any test end as it likes. Who wants to can hide this from a reader; what
remains open then is caught when tests are tried with other values (see `assertions`), or by the
people who review.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

from evaluator.languages.python.parsing import Function, parsed_leniently
from evaluator.languages.python.safeguards.counting import counts
from evaluator.languages.python.safeguards.imported_names import ImportedNames
from evaluator.languages.python.safeguards.replacements import replacements
from evaluator.languages.python.safeguards.surroundings import conditions
from evaluator.languages.python.safeguards.watched_names import (
    NATIVE_WORDS,
    composed_texts,
    reaches,
)
from evaluator.languages.python.sources.difference import AddedStatements, differing

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


_NATIVE = frozenset({".pyx", ".pxd", ".pxi", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".rs"})


def reached(path: str, old: bytes, new: bytes) -> tuple[Collection[str], Collection[str]]:
    """What the old version of a file reaches for and the new one does not, and the reverse."""
    suffix = PurePosixPath(path).suffix
    if suffix in _NATIVE:
        words = [{word.decode() for word in NATIVE_WORDS if word in side} for side in (old, new)]
        return words[0] - words[1], words[1] - words[0]
    if suffix not in (".py", ".pyw"):
        return (), ()
    before, after = (set(_in_python(part)) for part in differing(old, new))
    return before, after and after - _in_all(old)


def _in_all(content: bytes) -> set[str]:
    """All that a module reaches for."""
    tree = parsed_leniently(content) or ast.Module([], [])
    return set(_in_python(AddedStatements(tree, tree)))


def _in_python(part: AddedStatements) -> Iterator[str]:
    yield from reaches(part.statements, part.imports)
    names = ImportedNames.of(part.imports, part.statements)
    yield from conditions(part.statements, names)
    yield from replacements(part.statements, names)
    yield from composed_texts(part.statements)
    yield from lying_classes(part.statements)
    yield from counts(part)
