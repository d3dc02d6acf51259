"""The words that the code of a Python project lists beside each other."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from evaluator.languages.python.parsing import parsed_leniently
from evaluator.languages.substitutions import WORD
from evaluator.languages.vocabulary import listed_beside


def siblings(
    tree: Path, paths: Iterable[str], changed: Iterable[str]
) -> Mapping[str, tuple[str, ...]]:
    """Words that a collection in the packages of `changed` files holds, with its other words.

    `paths` are the source files of the tree.
    """
    packages = {PurePosixPath(path).parent for path in changed if path.endswith(".py")}
    near = (tree / path for path in paths if PurePosixPath(path).parent in packages)
    modules = (parsed_leniently(place.read_bytes()) for place in near)
    return listed_beside(words for module in modules if module for words in _listed(module))


def _listed(module: ast.Module) -> Iterator[list[str]]:
    for node in ast.walk(module):
        match node:
            case (
                ast.Dict(keys=items)
                | ast.List(elts=items)
                | ast.Tuple(elts=items)
                | ast.Set(elts=items)
            ):
                yield list(_words(items))


def _words(items: Iterable[ast.expr | None]) -> Iterator[str]:
    for item in items:
        match item:
            case ast.Constant(value=str(text)) if WORD.fullmatch(text):
                yield text
