"""Tests that are run from their own directory, and import what stands there by its bare name."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from evaluator.environment.types import Addition
from evaluator.languages.python.environment.failing_import import absent_module
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.languages.python.test_files import PythonTests
from evaluator.model import TestOutcome


def own_directory(outcome: TestOutcome, tree: Path, roots: Sequence[str]) -> str:
    """The directory of a tree that has to be among `roots` for a test to find a module.

    That is where the file stands: it has the module, or is it itself, and a package of the standard
    library has the same name as its directory (`test.test_words`). "" where another one is lacking.
    A package there (`tests/yaml`) may as well hold the tests of what the module is. Code that finds
    its neighbours in this way is for Python 2.
    """
    failure = outcome.failure
    if failure is None or failure.exception_type != ModuleNotFoundError.__name__:
        return ""
    module = absent_module(failure.message)
    if not module:
        return ""
    places = [outcome.file, failure.frame.path if failure.frame else ""]
    tests = map(PurePosixPath, filter(PythonTests().is_test, places))
    below = (place for place in tests if not place.is_absolute() and ".." not in place.parts)
    directories = (str(place.parent) for place in below if _finds(place, module, tree))
    return next((directory for directory in directories if directory not in (".", *roots)), "")


def _finds(place: PurePosixPath, module: str, tree: Path) -> bool:
    """Whether a module is found from where a file stands: it is that file, or stands beside it."""
    itself = module == ".".join(place.with_suffix("").parts)
    return itself or ("." not in module and (tree / place.with_name(f"{module}.py")).is_file())


def with_directory(what: str, recipe: PythonRecipe, directory: str) -> Addition:
    """The recipe that has a directory among its roots, behind all others."""
    wider = dataclasses.replace(recipe, import_roots=(*recipe.import_roots, directory))
    return Addition(what, directory, wider, key="import_roots", alone=True)
