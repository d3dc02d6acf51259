"""Java's recipes and environments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from evaluator.environment.types import Environment, Recipe
from evaluator.errors import EnvironmentBuildError


@dataclass(frozen=True, kw_only=True)
class JavaRecipe(Recipe):
    """How a Java repository is compiled and tested.

    `java` lists the versions of Java that its sources are written for, preferred first; "" where
    nothing says so. `build` names the build tool, `maven` or `javac`. `modules` are directories of
    the tree with a project of their own, all where it is empty. `arguments` are given to the build
    tool (`-Pprofile`, `-Dname=value`).
    """

    language: ClassVar[str] = "java"

    framework: str = "junit"
    java: tuple[str, ...] = ()
    build: str = "maven"
    modules: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class JavaEnvironment(Environment):
    """A JDK, a class path, and the compiled classes of the base commit.

    `home` is the JDK's directory. `classes` holds what was compiled, and `project.json`, which
    says how; `python` is the interpreter of the supervisor.
    """

    recipe: JavaRecipe
    home: Path
    classes: Path
    probe: Path
    python: Path

    @property
    def programs(self) -> tuple[Path, ...]:
        """Where `java` and `javac` lie."""
        return (self.home / "bin",)

    def variables(self, tree: str, seed: int) -> Mapping[str, str]:
        """The JDK, for what the tests start themselves."""
        return {"JAVA_HOME": str(self.home)}

    def launch(self, probe: str, results: str) -> tuple[str, ...]:
        """The supervisor, and the program that it starts."""
        raise NotImplementedError


def java_recipe(recipe: Recipe) -> JavaRecipe:
    """The same recipe, known to be Java's. Raises EnvironmentBuildError for any other."""
    if isinstance(recipe, JavaRecipe):
        return recipe
    message = f"a recipe of {recipe.language} says nothing of Java"
    raise EnvironmentBuildError(message, recipe=str(recipe))
