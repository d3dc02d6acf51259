"""What the words of an example mean to the code of a project."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from evaluator.languages import is_test_file
from evaluator.languages.python.parsing import parsed_leniently

_WORDS = re.compile(rb"[A-Za-z]{2,}|[0-9]{2,}")
_WORD = re.compile(r"[A-Za-z]{2,}")
_MOST_BYTES = 20_000_000
_LISTED = 3
"""Values that are listed as such by no accident."""


def vocabulary(tree: Path) -> frozenset[str]:
    """The words and numbers of a project's own sources, in small letters.

    Of the largest projects it is a part of them.
    """
    words: set[bytes] = set()
    left = _MOST_BYTES
    for path in _files(tree, tree.rglob("*.py")):
        if left > 0 and not is_test_file(str(path.relative_to(tree))):
            content = path.read_bytes()
            left -= len(content)
            words.update(word.lower() for word in _WORDS.findall(content))
    return frozenset(word.decode() for word in words)


def siblings(tree: Path, changed: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Words that a collection in the packages of `changed` files holds, with its other words."""
    directories = {PurePosixPath(path).parent for path in changed if path.endswith(".py")}
    found: dict[str, tuple[str, ...]] = {}
    for directory in sorted(directories):
        for path in _files(tree, (tree / directory).glob("*.py")):
            module = parsed_leniently(path.read_bytes())
            for words in _listed(module) if module else ():
                for word in words:
                    found.setdefault(word, tuple(other for other in words if other != word))
    return found


def _files(tree: Path, paths: Iterable[Path]) -> Iterator[Path]:
    """Those of some paths that are files of a tree; a link may lead out of it."""
    root = tree.resolve()
    for path in sorted(paths):
        if path.is_file() and path.resolve().is_relative_to(root):
            yield path


def _listed(module: ast.Module) -> Iterator[list[str]]:
    for node in ast.walk(module):
        match node:
            case ast.Dict(keys=items) | ast.List(elts=items) | ast.Tuple(elts=items):
                words = list(_words(items))
            case ast.Set(elts=items):
                words = list(_words(items))
            case _:
                continue
        if len(words) >= _LISTED:
            yield words


def _words(items: Iterable[ast.expr | None]) -> Iterator[str]:
    for item in items:
        match item:
            case ast.Constant(value=str(text)) if _WORD.fullmatch(text):
                yield text
