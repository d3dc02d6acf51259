"""Java's recipes and environments."""

from __future__ import annotations

import json
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
    nothing says so. `build` names the build tool, `maven`. `modules` are directories of
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

    `java` is the program of the JDK, `compiler` how it is started to compile, `probe` our jar,
    `launcher` the JUnit Platform. `project` says how everything is compiled, and `classes` holds
    what was. `python` runs the supervisor. `options` are more options of the virtual machine of
    tests, and `compiled` is the compiler's report where the tests are compiled already. `main` is
    the class that runs them.
    """

    recipe: JavaRecipe
    java: Path
    probe: Path
    compiler: tuple[str, ...]
    project: Path
    classes: Path
    launcher: tuple[Path, ...]
    python: Path
    options: tuple[str, ...] = ()
    compiled: Path | None = None
    main: str = "fixgate.run.Main"

    @property
    def programs(self) -> tuple[Path, ...]:
        """Where `java` and `javac` lie."""
        return (self.java.parent,)

    def variables(self, tree: str, seed: int) -> Mapping[str, str]:
        """The JDK, for what the tests start themselves."""
        return {"JAVA_HOME": str(self.java.parent.parent)}

    def launch(self, probe: str, results: str) -> tuple[str, ...]:
        """The supervisor, and what compiles the changes and becomes the virtual machine."""
        interpreter = (str(self.python), "-I", "-S", "-B")
        tests = (*interpreter, f"{probe}/run.py", results, json.dumps(self._described()))
        return (*interpreter, f"{probe}/supervise.py", results, *tests)

    def _described(self) -> Mapping[str, object]:
        return {
            "java": str(self.java),
            "probe": str(self.probe),
            "project": str(self.project),
            "base": str(self.classes),
            "launcher": [str(jar) for jar in self.launcher],
            "compiler": list(self.compiler),
            "options": [*self.recipe.test_arguments, *self.options],
            "compiled": str(self.compiled or ""),
            "main": self.main,
        }


def java_recipe(recipe: Recipe) -> JavaRecipe:
    """The same recipe, known to be Java's. Raises EnvironmentBuildError for any other."""
    if isinstance(recipe, JavaRecipe):
        return recipe
    message = f"a recipe of {recipe.language} says nothing of Java"
    raise EnvironmentBuildError(message, recipe=str(recipe))
