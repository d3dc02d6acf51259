"""How Java repositories are installed, as the protocol of languages asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.diff import Changes
from evaluator.environment.types import Addition, Environment, Recipe
from evaluator.languages.java.environment.build import JavaBuilder
from evaluator.languages.java.environment.discover import discover_recipe
from evaluator.languages.java.environment.fields import read_fields
from evaluator.languages.java.environment.made import any_is_made_of
from evaluator.model import Run, TestOutcome
from evaluator.sandbox.protocol import Sandbox

BUILD_FILES = (
    *("pom.xml", ".gradle", ".gradle.kts", "gradle.properties", "libs.versions.toml"),
    *("build.xml", "build.properties", "project.xml", ".jar"),
)


@dataclass(frozen=True)
class JavaEnvironments:
    """Recipes from the project's own files, built with Maven or Ant, or as they state."""

    def read_fields(self, table: Mapping[str, Any]) -> Mapping[str, Any]:
        """The fields of a JavaRecipe that a repository sets. Raises FieldError."""
        return read_fields(table)

    def discover(self, tree: Path) -> Recipe:
        """The recipe that the project's own files describe. Raises InputError."""
        return discover_recipe(tree)

    def recipe(self, repo: str, version: str, tree: Path) -> Recipe:
        """The discovered recipe: none comes with fixgate. Raises InputError."""
        return discover_recipe(tree)

    def lacking(self, environment: Environment, outcome: TestOutcome, tree: Path) -> str:
        """Nothing that is known: what does not compile says so itself."""
        return ""

    def additions(self, environment: Environment, run: Run, tree: Path) -> Sequence[Addition]:
        """Nothing: a build tool names all that it needs."""
        return ()

    def is_compiled(self, path: str) -> bool:
        """Whether a file has a say in how everything is compiled, and with what."""
        return path.endswith(BUILD_FILES)

    def is_outdated(self, environment: Environment, paths: Iterable[str]) -> bool:
        """Sources are compiled anew; what plug-ins read is not written anew."""
        return any_is_made_of(paths, environment.overlays)

    def changed(
        self, environment: Environment, cache: Path, tree: Path, fix: Changes
    ) -> Environment:
        """The same: a build file that is changed has an environment of its own."""
        return environment

    def builder(
        self,
        cache: Path,
        *,
        sandbox: Sandbox,
        index_url: str | None = None,
        ca_bundle: Path | None = None,
        offline: bool = False,
    ) -> JavaBuilder:
        """What builds class paths and compiles base commits under `cache`.

        `index_url` and `ca_bundle` are for Python's index: Maven has settings and a trust store.
        """
        return JavaBuilder(cache, sandbox=sandbox, offline=offline)
