"""How Python repositories are installed, as the protocol of languages asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.diff import Changes
from evaluator.environment.types import Addition, Environment, Recipe
from evaluator.languages.python.environment.additions import additions
from evaluator.languages.python.environment.binaries import any_is_made_of, is_compiled
from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.changed_version import with_changed_version
from evaluator.languages.python.environment.discover import (
    discover_recipe,
    with_own_dependencies,
)
from evaluator.languages.python.environment.lacking import lacking
from evaluator.languages.python.environment.recipes import known_recipe, version_of
from evaluator.languages.python.environment.types import (
    PythonRecipe,
    python_environment,
    read_fields,
)
from evaluator.model import Run, TestOutcome
from evaluator.sandbox.protocol import Sandbox


@dataclass(frozen=True)
class PythonEnvironments:
    """Recipes from our own files or the project's, built with uv."""

    def read_fields(self, table: Mapping[str, Any]) -> Mapping[str, Any]:
        """The fields of a PythonRecipe that a repository sets. Raises FieldError."""
        return read_fields(table)

    def discover(self, tree: Path) -> Recipe:
        """The recipe that the project's own files describe. Raises InputError."""
        return discover_recipe(tree)

    def recipe(self, repo: str, version: str, tree: Path) -> Recipe:
        """The known recipe of a repository, else the discovered one. Raises InputError.

        A known one has what the commit itself declares beside.
        """
        known = known_recipe(repo, version or version_of(repo, tree))
        if isinstance(known, PythonRecipe):
            return with_own_dependencies(known, tree)
        return discover_recipe(tree)

    def lacking(self, environment: Environment, outcome: TestOutcome, tree: Path) -> str:
        """The module or fixture that a test could not be loaded without."""
        return lacking(python_environment(environment), outcome, tree)

    def additions(self, environment: Environment, run: Run, tree: Path) -> Sequence[Addition]:
        """Packages with modules and fixtures that tests could not be loaded without."""
        return additions(python_environment(environment), run, tree)

    def is_compiled(self, path: str) -> bool:
        """Whether a file is a source of compiled modules."""
        return is_compiled(path)

    def is_outdated(self, environment: Environment, paths: Iterable[str]) -> bool:
        """By the names of files: a build says nothing of what it reads."""
        return any_is_made_of(paths, environment.overlays)

    def changed(
        self, environment: Environment, cache: Path, tree: Path, fix: Changes
    ) -> Environment:
        """The environment with the version that a change gives the project."""
        return with_changed_version(python_environment(environment), cache, tree, fix)

    def builder(
        self,
        cache: Path,
        *,
        sandbox: Sandbox,
        index_url: str | None = None,
        ca_bundle: Path | None = None,
        offline: bool = False,
    ) -> PythonBuilder:
        """What builds virtual environments under `cache`."""
        return PythonBuilder(
            cache, sandbox=sandbox, index_url=index_url, ca_bundle=ca_bundle, offline=offline
        )
