"""The code that goes into test files, under names that are drawn for each content."""

from __future__ import annotations

import ast
import random
import string
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.languages.python.parsing import parse

_INSIDE = Path(__file__).parent / "inside"
_PARTS = ("values", "tests", "hashes", "comparisons", "calls", "blocks")
_LENGTH = 12
FOR_TESTS = r"_*tests?(ing)?(_?utils?)?"
"""Parts of the names of modules that a package ships for tests (`sqlalchemy.testing`)."""


@dataclass(frozen=True)
class Inserted:
    """A statement that gives a test file the object `name`; all files of a run share its state.

    What a rewritten test reports begins with `token`.
    """

    name: str
    token: str
    statement: str


def inserted(key: str) -> Inserted:
    """The code for tests whose content has this key: the same for the same key.

    It bears the test file's own name. For code without a file pytest shows every frame of its own
    in every failure, which took ten times as long as the tests did.
    """
    words = _Words(random.Random(key))  # noqa: S311 - keeps names from being guessed by accident
    name, token, module = words.new(), words.new(), words.new()
    values = {
        "TURNED_TOKEN": token,
        "TURNED_NAME": name,
        "TURNED_SHIPPED": FOR_TESTS,
        "TURNED_SEED": words.new(),
    }
    code = _renamed(words)
    for placeholder, value in values.items():
        code = code.replace(placeholder, value)
    system, other = words.new(), words.new()
    statement = (
        f"import sys as {system}; {name} = {system}.modules.get({module!r}) or "
        f"(lambda {other}: ({system}.modules.__setitem__({module!r}, {other}), "
        f"exec(compile({code!r}, __file__, 'exec'), {other}.__dict__), {other})[2])"
        f"(type({system})({module!r}))"
    )
    return Inserted(name, token, statement)


@dataclass
class _Words:
    chance: random.Random

    def new(self) -> str:
        return "".join(self.chance.choice(string.ascii_lowercase) for _ in range(_LENGTH))


_PUBLIC = frozenset({"test", "made", "truth", "compare", "call", "caught", "raising"})


def _renamed(words: _Words) -> str:
    """The code with all but its public names replaced."""
    tree = _code()
    names = {name: words.new() for name in _defined(tree) if name not in _PUBLIC}
    return ast.unparse(_Renaming(names).visit(tree))


def _code() -> ast.Module:
    return parse("\n".join((_INSIDE / f"{name}.py").read_text() for name in _PARTS))


def _defined(tree: ast.Module) -> list[str]:
    """The names of what a module defines, in their order."""
    names = []
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.append(name)
            case ast.Assign(targets=[ast.Name(id=name)]):
                names.append(name)
    return names


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self._names.get(node.arg, node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.name = self._names.get(node.name, node.name)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.name = self._names.get(node.name, node.name)
        return node
