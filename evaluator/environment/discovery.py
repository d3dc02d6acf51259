"""Finds out from a repository's own files how it is installed and tested."""

from __future__ import annotations

from pathlib import Path

from evaluator.environment.types import Recipe
from evaluator.languages import language_of_tree


def discover_recipe(tree: Path) -> Recipe:
    """The recipe that a tree describes, in the language of most of its files.

    No code of the project runs. Raises InputError where a file that must be read is broken.
    """
    return language_of_tree(tree).environments.discover(tree)
