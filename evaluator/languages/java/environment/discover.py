"""Finds out from a Java repository's own files how it is compiled and tested."""

from __future__ import annotations

from pathlib import Path

from evaluator.environment.configuration import read_configuration
from evaluator.languages.java.environment.types import JavaRecipe


def discover_recipe(tree: Path) -> JavaRecipe:
    """The recipe that a tree describes; its `.github/fixgate.yml` has the last word.

    Raises InputError where that file is broken.
    """
    return JavaRecipe(**{"source": "found in the repository", **read_configuration(tree, "java")})
