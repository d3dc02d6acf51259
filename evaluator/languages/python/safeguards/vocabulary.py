"""What the words of an example mean to the code of a project."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from evaluator.languages import is_test_file
from evaluator.languages.python.parsing import parsed_leniently
from evaluator.languages.substitutions import WORD

_WORDS = re.compile(rb"[A-Za-z]{2,}|[0-9]{2,}")
_MOST_BYTES = 20_000_000
_LISTED = 3
"""Values that are listed as such by no accident."""


def vocabulary(tree: Path, paths: Iterable[str]) -> frozenset[str]:
    """The words and numbers of those source files of a tree that are no tests, in small letters.

    Of the largest projects it is a part of them.
    """
    words: set[bytes] = set()
    left = _MOST_BYTES
    for path in paths:
        if left > 0 and not is_test_file(path):
            content = (tree / path).read_bytes()
            left -= len(content)
            words.update(word.lower() for word in _WORDS.findall(content))
    return frozenset(word.decode() for word in words)


def siblings(
    tree: Path, paths: Iterable[str], changed: Iterable[str]
) -> Mapping[str, tuple[str, ...]]:
    """Words that a collection in the packages of `changed` files holds, with its other words.

    `paths` are the source files of the tree.
    """
    packages = {PurePosixPath(path).parent for path in changed if path.endswith(".py")}
    found: dict[str, tuple[str, ...]] = {}
    for path in paths:
        if PurePosixPath(path).parent in packages:
            module = parsed_leniently((tree / path).read_bytes())
            for words in _listed(module) if module else ():
                for word in words:
                    found.setdefault(word, tuple(other for other in words if other != word))
    return found


def _listed(module: ast.Module) -> Iterator[list[str]]:
    for node in ast.walk(module):
        match node:
            case (
                ast.Dict(keys=items)
                | ast.List(elts=items)
                | ast.Tuple(elts=items)
                | ast.Set(elts=items)
            ) if len(words := list(_words(items))) >= _LISTED:
                yield words


def _words(items: Iterable[ast.expr | None]) -> Iterator[str]:
    for item in items:
        match item:
            case ast.Constant(value=str(text)) if WORD.fullmatch(text):
                yield text
