"""Tests that are run from their own directory, and import what stands there by its bare name."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from evaluator.environment.types import Addition
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.model import TestOutcome

_MODULE = re.compile(r"No module named '([A-Za-z_][\w.]*)'")


def own_directory(outcome: TestOutcome, tree: Path, roots: Sequence[str]) -> str:
    """The directory of a tree that has to be among `roots` for a file to find a module.

    That is where the file stands: it has the module, or is it itself, and a package of the standard
    library has the same name as its directory (`test.test_words`). "" where another one is lacking.
    A package there (`tests/yaml`) may as well hold the tests of what the module is.
    """
    found = _MODULE.search(outcome.failure.message) if outcome.failure else None
    if found is None:
        return ""
    framed = [outcome.failure.frame.path] if outcome.failure and outcome.failure.frame else []
    for path in map(PurePosixPath, (outcome.file, *framed)):
        directory = str(path.parent)
        itself = found[1] == ".".join(path.with_suffix("").parts)
        beside = "." not in found[1] and (tree / directory / f"{found[1]}.py").is_file()
        if directory not in (".", *roots) and (itself or beside):
            return directory
    return ""


def with_directory(what: str, recipe: PythonRecipe, directory: str) -> Addition:
    """The recipe that has a directory among its roots, behind all others."""
    wider = dataclasses.replace(recipe, import_roots=(*recipe.import_roots, directory))
    return Addition(what, directory, wider, key="import_roots", alone=True)
