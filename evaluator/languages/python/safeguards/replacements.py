"""What code replaces of the standard library, and of assertions, which tests use as well."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from evaluator.languages.python.safeguards.imported_names import ImportedNames

_NOT_ITS_OWN = frozenset({"ctypes", "sys"})
"""Functions of other libraries are set up in the one, streams and paths in the other."""
_ASSERTING = (
    *("numpy.testing.", "pandas.testing.", "pandas._testing.", "xarray.testing.", "django.test."),
    *("testtools.", "twisted.trial.", "hamcrest.", "assertpy.", "expects."),
)
"""What other libraries have for tests."""
_TO_BE_REPLACED = frozenset({"warnings.showwarning", "warnings.formatwarning"})
"""See https://docs.python.org/3/library/warnings.html#warnings.showwarning."""


def replacements(tree: ast.AST, names: ImportedNames) -> Iterator[str]:
    """What some statements of a module replace, given its names."""
    for target in _replaced(tree):
        dotted = names.dotted(target)
        if _is_used_by_tests(dotted):
            yield f"replaces {dotted}"


def _replaced(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                yield node
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[owner, attribute, *_]):
                yield _attribute(owner, attribute)
            case ast.Subscript(
                value=ast.Attribute(value=owner, attr="__dict__")
                | ast.Call(func=ast.Name(id="vars"), args=[owner]),
                slice=attribute,
                ctx=ast.Store() | ast.Del(),
            ):
                yield _attribute(owner, attribute)


def _attribute(owner: ast.expr, attribute: ast.expr) -> ast.Attribute:
    match attribute:
        case ast.Constant(value=str(name)):
            return ast.Attribute(owner, name, ast.Store())
    return ast.Attribute(owner, "...", ast.Store())


def _is_used_by_tests(dotted: str) -> bool:
    """Whether it belongs to a module or a class, and not to what a call gave."""
    if dotted in _TO_BE_REPLACED or "()" in dotted:
        return False
    top, _, rest = dotted.partition(".")
    standard = top in sys.stdlib_module_names - _NOT_ITS_OWN
    return bool(rest) and (standard or dotted.startswith(_ASSERTING))
