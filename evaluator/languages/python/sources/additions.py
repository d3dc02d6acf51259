"""What a change adds to the code that was not there before: names, parameters, files, versions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.python.parsing import Function, parsed

_VERSION = re.compile(
    r"""^\s*["']?(?:__)?version(?:__|_info)?["']?\s*(?::\s*str\s*)?=\s*["']([^"']+)["']""",
    re.IGNORECASE | re.MULTILINE,
)

_BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)
"""Nodes that can have statements below them."""


@dataclass(frozen=True)
class Additions:
    """What there is with a change only.

    `names` are modules, functions, classes, parameters and attributes; `signatures` the functions
    and classes that take other parameters than before; `files` the paths of new files, `edited`
    those of all changed ones; `versions` the texts that versions are set to, `documentation` new
    docstrings.
    """

    names: frozenset[str]
    signatures: frozenset[str]
    files: frozenset[str]
    edited: frozenset[str]
    versions: frozenset[str]
    documentation: frozenset[str]


def additions(changed: Mapping[str, bytes | None], source: Source) -> Additions:
    """Compare the changed files, tests aside, with what they were; `source` reads the base."""
    new = {
        path: text for path, text in changed.items() if text is not None and not is_test_file(path)
    }
    old = {path: source(path) for path in new}
    files = frozenset(path for path in new if old[path] is None)
    trees_before, trees_after = _trees(old), _trees(new)
    before, after = set(_defined(trees_before)), set(_defined(trees_after))
    added = after - before
    return Additions(
        names=frozenset({*(name for _, name in added), *_modules(files)}),
        signatures=frozenset(_signatures(added | (before - after))),
        files=files,
        edited=frozenset(new),
        versions=frozenset(_versions(new.values())) - frozenset(_versions(old.values())),
        documentation=frozenset(_documentation(trees_after))
        - frozenset(_documentation(trees_before)),
    )


def _trees(texts: Mapping[str, bytes | None]) -> tuple[ast.Module, ...]:
    """What can be read of some Python files."""
    found = (parsed(text or b"") for path, text in texts.items() if path.endswith((".py", ".pyi")))
    return tuple(tree for tree in found if tree is not None)


def _modules(files: Iterable[str]) -> Iterator[str]:
    for path in map(PurePosixPath, files):
        if path.suffix == ".py":
            yield path.parent.name if path.stem == "__init__" else path.stem


def _versions(texts: Iterable[bytes | None]) -> Iterator[str]:
    for text in texts:
        yield from _VERSION.findall((text or b"").decode("utf-8", "replace"))


def _documentation(trees: Iterable[ast.AST]) -> Iterator[str]:
    for tree in trees:
        if isinstance(tree, Function | ast.ClassDef | ast.Module):
            yield ast.get_docstring(tree, clean=False) or ""
        # Expressions, which are most of a tree, hold no docstrings.
        inner = (node for node in ast.iter_child_nodes(tree) if isinstance(node, _BLOCKS))
        yield from _documentation(inner)


def _defined(trees: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Each name that modules define, after the class or function that it belongs to."""
    for tree in trees:
        yield from _within(tree, "")


def _within(node: ast.AST, owner: str) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield owner, child.name
                yield from _parameters(child, owner)
                yield from _attributes(child, owner)
            case ast.ClassDef():
                yield owner, child.name
                yield from _within(child, f"{owner}{child.name}.")
            case ast.Import() | ast.ImportFrom():
                yield from ((owner, (a.asname or a.name).partition(".")[0]) for a in child.names)
            case ast.Assign() | ast.AnnAssign():
                yield from ((owner, name) for name in _targets(child))
            case ast.If() | ast.Try() | ast.With() | ast.ExceptHandler():
                yield from _within(child, owner)


def _parameters(function: Function, owner: str) -> Iterator[tuple[str, str]]:
    arguments = function.args
    optional = (a for a in (arguments.vararg, arguments.kwarg) if a is not None)
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *optional):
        yield f"{owner}{function.name}(", argument.arg


def _attributes(function: Function, owner: str) -> Iterator[tuple[str, str]]:
    """The attributes that a method sets on its own object."""
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                yield owner, name


def _targets(node: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))


def _signatures(differing: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The functions whose parameters differ, and for `__init__` its class."""
    for owner, _ in differing:
        if owner.endswith("("):
            *classes, function = owner[:-1].split(".")
            yield function
            if function in ("__init__", "__new__") and classes:
                yield classes[-1]
