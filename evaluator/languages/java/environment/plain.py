"""Projects that are what `.github/fixgate.yml` says: directories of sources, and jars."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.environment.tools import ToolError
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.absent import Absent, absent_dependencies
from evaluator.languages.java.environment.discover import said_by_build
from evaluator.languages.java.environment.tools import Artifact, Tools
from evaluator.languages.java.environment.types import PLATFORM, JavaRecipe
from evaluator.languages.java.environment.units import Layout, SourceUnit, keep_jar
from evaluator.storage.keys import short_key

_EXAMPLE = """\
environment:
  java: ["17"]
  build: javac
  sources: [src/main/java]
  tests: [src/test/java]
  dependencies: ["junit:junit:4.13.2", "lib/*.jar"]"""
REMEDY = f"write in `.github/fixgate.yml` what it is compiled with, for example:\n{_EXAMPLE}"


@dataclass(frozen=True)
class Plain:
    """A tree with a recipe that says `build: javac`."""

    tools: Tools
    recipe: JavaRecipe
    tree: Path

    @property
    def key(self) -> str:
        """Of all that decides on the class path: the recipe, and the names of the jars."""
        recipe = self.recipe
        directories = (recipe.sources, recipe.tests, _directory(recipe.tests))
        left_out = self._excluded((*recipe.sources, *recipe.tests))
        return short_key(_level(recipe), *directories, recipe.dependencies, self._jars(), left_out)

    def fill(self, place: Path) -> None:
        """Write what `Project` reads. Raises EnvironmentBuildError, and ToolError of Maven."""
        recipe = self.recipe
        self._check()
        place.mkdir()
        resolved, absent = self._resolved()
        jars = (
            *(f"tree:{jar}" for jar in self._jars()),
            *(keep_jar(jar, place) for jar in resolved),
        )
        seen = ("unit:main", *(f"tree:{root}" for root in recipe.sources), *jars)
        layout = Layout(
            [
                self._unit("main", recipe.sources, jars),
                self._unit("tests", recipe.tests, seen),
            ],
            _level(recipe),
            absent=absent,
        )
        layout.write(place, recipe)

    def _unit(self, name: str, roots: Sequence[str], seen: Sequence[str]) -> SourceUnit:
        return SourceUnit(
            name,
            name == "tests",
            roots,
            seen,
            roots,
            excludes=self._excluded(roots),
            directory=_directory(self.recipe.tests),
        )

    def _excluded(self, roots: Sequence[str]) -> list[str]:
        """The sources that patterns leave out."""
        found = (
            path
            for root in roots
            for pattern in self.recipe.excludes
            for path in self._below(root, pattern)
        )
        sources = {path for path in found if path.suffix == ".java" and path.is_file()}
        return sorted(path.relative_to(self.tree).as_posix() for path in sources)

    def _below(self, root: str, pattern: str) -> Sequence[Path]:
        # Before Python 3.13 `**` at the end stands for directories alone.
        whole = f"{pattern}/*" if pattern.endswith("**") else pattern
        try:
            return list((self.tree / root).glob(whole))
        except ValueError as error:
            message = f"`environment.excludes`: `{pattern}` is no pattern: {error}"
            raise EnvironmentBuildError(message, recipe=str(self.recipe)) from error

    def _check(self) -> None:
        for name in ("sources", "tests"):
            roots: Sequence[str] = getattr(self.recipe, name)
            absent = [root for root in roots if not (self.tree / root).is_dir()]
            if absent or not roots:
                what = f"`{absent[0]}` is no directory" if absent else "there are none"
                message = f"`environment.{name}`: {what}; {REMEDY}"
                raise EnvironmentBuildError(message, recipe=str(self.recipe))

    def _jars(self) -> tuple[str, ...]:
        """The jars of the tree that the dependencies name."""
        return tuple(jar for name in self.recipe.dependencies for jar in self._matching(name))

    def _matching(self, name: str) -> Iterator[str]:
        if not name.endswith(".jar"):
            return
        try:
            found = sorted(path for path in self.tree.glob(name) if path.is_file())
        except ValueError:  # No pattern that there is, such as `**lib.jar`.
            found = []
        if not found:
            message = f"`environment.dependencies`: there is no `{name}` in the repository"
            raise EnvironmentBuildError(message, recipe=str(self.recipe))
        yield from (path.relative_to(self.tree).as_posix() for path in found)

    def _resolved(self) -> tuple[Sequence[Path], Sequence[Absent]]:
        """The jars of the artifacts that the dependencies name, and those that are left out.

        That is what no repository has, unless a configuration asks for it.
        """
        named = [name for name in self.recipe.dependencies if not name.endswith(".jar")]
        platforms = [_artifact(name) for name in named if name.endswith(PLATFORM)]
        wanted = [_artifact(name) for name in named if not name.endswith(PLATFORM)]
        absent: list[Absent] = []
        while wanted:
            try:
                return self.tools.jars(wanted, platforms), absent
            except ToolError as error:
                gone = self._absent(error, wanted)
                if not gone:
                    raise
                absent += gone
                names = {(each.group, each.artifact) for each in gone}
                wanted = [artifact for artifact in wanted if artifact[:2] not in names]
        return (), absent

    def _absent(self, error: ToolError, wanted: Sequence[Artifact]) -> Sequence[Absent]:
        """The wanted artifacts that Maven says do not exist, if the build asks for them."""
        if self.recipe.dependencies != said_by_build(self.tree).get("dependencies"):
            return ()
        names = {artifact[:2] for artifact in wanted}
        found = absent_dependencies(error.log, self.tree)
        return sorted(each for each in found if (each.group, each.artifact) in names)


def _directory(tests: Sequence[str]) -> str:
    """That of the one project which all tests are of, in which build tools run them."""
    projects = {root.rpartition("/src/")[0] for root in tests}
    return projects.pop() if len(projects) == 1 else ""


def _level(recipe: JavaRecipe) -> int:
    """The level that the arguments name, 0 for none."""
    stated = re.search(
        r"(?:--release|-source|--source)[= ](?:1\.)?(\d+)", " ".join(recipe.arguments)
    )
    return int(stated[1]) if stated else 0


def _artifact(name: str) -> Artifact:
    group, artifact, *version = name.removesuffix(PLATFORM).split(":")
    return group, artifact, "".join(version)
