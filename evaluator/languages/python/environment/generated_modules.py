"""Modules that a project's own build makes, so that its repository has none of them."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from evaluator.environment.types import Addition
from evaluator.languages.python.environment.binaries import ignored_paths
from evaluator.languages.python.environment.failing_import import absent_module
from evaluator.languages.python.environment.install import METADATA, WHEEL
from evaluator.languages.python.environment.types import PythonRecipe

_PART = re.compile(
    r"cannot import name '(\w+)' from (?:partially initialized module )?'([A-Za-z_][\w.]*)'"
)


def generated_module(message: str, tree: Path, roots: Sequence[str]) -> str:
    """The module of a tree's own that an import did without: `words.grammar.parser`.

    One for which there is no file, and one would be ignored by git: it is made, and not kept. ""
    where an import did without something else.
    """
    part = _PART.search(message)
    name = f"{part[2]}.{part[1]}" if part else absent_module(message)
    return name if name and _is_made(name, tree, tuple(dict.fromkeys((*roots, "")))) else ""


@functools.lru_cache(maxsize=256)
def _is_made(module: str, tree: Path, roots: tuple[str, ...]) -> bool:
    package, *rest = module.split(".")
    places = [PurePosixPath(root, package) for root in roots if (tree / root / package).is_dir()]
    files = [str(place.joinpath(*rest, "__init__.py")) for place in places if rest]
    files += [f"{place.joinpath(*rest)}.py" for place in places if rest]
    if not files or any((tree / file).exists() for file in files):
        return False
    return bool(ignored_paths(tree, files).intersection(files))


def with_build(what: str, recipe: PythonRecipe) -> Addition | None:
    """The recipe with the project's own build; None where it says already what is to be run."""
    if recipe.install != METADATA:
        return None
    built = dataclasses.replace(recipe, install=WHEEL)
    return Addition(what, f"install: {WHEEL}", built, key="install", alone=True)
