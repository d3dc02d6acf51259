"""Java's recipes and environments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from evaluator.environment.types import Environment, Recipe
from evaluator.errors import EnvironmentBuildError

TEST_COMMAND = "run-tests"
PLATFORM = "@pom"
"""Behind the version of a platform (BOM), as Gradle asks for what is no jar."""
BUILDS = ("maven", "gradle", "ant", "javac")


@dataclass(frozen=True, kw_only=True)
class JavaRecipe(Recipe):
    """How a Java repository is compiled and tested.

    `java` lists the versions of Java that its sources are written for, preferred first; "" where
    nothing says so. `build` names the build tool: one of `BUILDS`, or "" where none was found.
    `modules` are directories of the tree with a project of their own, all where it is empty.
    `arguments` are given to the build tool (`-Pprofile`, `-Dname=value`; of Ant, targets too); of
    those for `javac`, the level is taken (`--release`, `11`).

    With `javac`, the project is what the recipe says: directories of `sources` and `tests`, which
    hold resources as well, and `dependencies`: `group:artifact:version`, or jars of the tree, where
    `*` stands for any name. With a platform (BOM), `group:artifact:version@pom`, the versions that
    it says may be left out. `excludes` are patterns of sources that are left out, below the
    directories (`a/b/**`).
    """

    language: ClassVar[str] = "java"

    framework: str = "junit"
    java: tuple[str, ...] = ()
    build: str = "maven"
    modules: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class JavaEnvironment(Environment):
    """A JDK, a class path, and the compiled classes of the base commit.

    `java` is the program of the JDK, `compiler` how it is started to compile, `probe` our jar,
    `launcher` the JUnit Platform, `archives` hold classes of both, and `libraries` are what the JDK
    had once. `project` says how everything is compiled, and `classes` holds what was. `python` runs
    the supervisor, and `shell` has the command that runs tests in a shell. `options` are more
    options of the virtual machine of tests, `compiled` is the compiler's report where the tests are
    compiled already, and `main` is the class that runs them.
    """

    recipe: JavaRecipe
    java: Path
    probe: Path
    compiler: tuple[str, ...]
    project: Path
    classes: Path
    launcher: tuple[Path, ...]
    archives: tuple[Path, ...] = ()
    libraries: tuple[Path, ...] = ()
    python: Path
    options: tuple[str, ...] = ()
    compiled: Path | None = None
    main: str = "fixgate.run.Main"
    shell: Path = Path()

    @property
    def commands(self) -> tuple[Path, ...]:
        """Where the command lies that compiles changes and runs tests."""
        return (self.shell / "bin",)

    def test_command(self, files: Sequence[str]) -> tuple[str, ...]:
        """Maven and its plug-ins are not there in a shell."""
        return TEST_COMMAND, *files

    def parts(self, files: Sequence[str]) -> Sequence[tuple[str, ...]]:
        """Those of a module run in a virtual machine of their own, in its directory, as Maven's do.

        Files of no module come with the first one.
        """
        units = self._units_of_tests()
        found = {file: _directory(units, file) for file in files}
        known = dict.fromkeys(place for place in found.values() if place is not None)
        first = next(iter(known), None)
        parts: dict[str | None, list[str]] = {place: [] for place in known or (first,)}
        for file, place in found.items():
            parts[first if place is None else place].append(file)
        return [tuple(part) for part in parts.values()]

    def test_roots(self) -> tuple[str, ...]:
        """Where the sources of tests lie, of all modules, relative to the tree."""
        return tuple(root for unit in self._units_of_tests() for root in unit["roots"])

    def _units_of_tests(self) -> Sequence[Mapping[str, Any]]:
        return [unit for unit in json.loads(self.project.read_text())["units"] if unit["test"]]

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
        tests = (*interpreter, f"{probe}/run.py", results, json.dumps(self.described()))
        return (*interpreter, f"{probe}/supervise.py", results, *tests)

    def described(self) -> Mapping[str, object]:
        """What the probe's `run.py` has to know."""
        return {
            "java": str(self.java),
            "probe": str(self.probe),
            "project": str(self.project),
            "base": str(self.classes),
            "launcher": [str(jar) for jar in self.launcher],
            "archives": [str(archive) for archive in self.archives],
            "libraries": [str(jar) for jar in self.libraries],
            "compiler": list(self.compiler),
            "options": [*self.recipe.test_arguments, *self.options],
            "compiled": str(self.compiled or ""),
            "main": self.main,
        }


def _directory(units: Sequence[Mapping[str, Any]], file: str) -> str | None:
    """The directory of the module that runs a test file; None where none does."""
    for unit in units:
        roots = tuple(f"{root}/" if root else "" for root in unit["roots"])
        if file.startswith(roots) and not unit.get("left_out"):
            return str(unit["directory"])
    return None


def java_recipe(recipe: Recipe) -> JavaRecipe:
    """The same recipe, known to be Java's. Raises EnvironmentBuildError for any other."""
    if isinstance(recipe, JavaRecipe):
        return recipe
    message = f"a recipe of {recipe.language} says nothing of Java"
    raise EnvironmentBuildError(message, recipe=str(recipe))


def java_environment(environment: Environment) -> JavaEnvironment:
    """The same environment, known to be Java's. Raises EnvironmentBuildError for any other."""
    if isinstance(environment, JavaEnvironment):
        return environment
    message = f"an environment of {environment.recipe.language} has no JDK"
    raise EnvironmentBuildError(message, recipe=str(environment.recipe))
