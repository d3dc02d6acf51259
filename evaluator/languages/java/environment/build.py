"""Builds Java environments, once for everyone who needs them."""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.checkout.scratch import lay_over
from evaluator.environment.tools import (
    BUILD_LIMITS,
    ToolError,
    at_own_path,
    build_error,
    copy_tree,
    run_command,
)
from evaluator.environment.types import Recipe
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.jdk import Jdk, find_jdk
from evaluator.languages.java.environment.maven import Maven, cause
from evaluator.languages.java.environment.project import OLDEST_LEVEL
from evaluator.languages.java.environment.resolve import FORMAT, Project, Resolving
from evaluator.languages.java.environment.tools import JUPITER, Tools
from evaluator.languages.java.environment.types import JavaEnvironment, JavaRecipe, java_recipe
from evaluator.sandbox.protocol import Command, Sandbox
from evaluator.storage.keys import short_key
from evaluator.storage.once import make_once
from evaluator.storage.scratch import scratch

COMPILER = ("-Xmx2g", "-XX:+UseSerialGC")


class JavaBuilder:
    """Builds environments and keeps them under `cache`, safe for many processes at once.

    What was built once is found again without network, also with `offline=True`, which forbids
    Maven the network altogether. Foreign code runs only in `sandbox`.
    """

    def __init__(self, cache: Path, *, sandbox: Sandbox, offline: bool) -> None:
        self._cache = cache.resolve()
        self._sandbox = sandbox
        self._offline = offline

    def build(
        self,
        recipe: Recipe,
        *,
        date: datetime.date | None,
        tree: Path,
        tree_key: str,
        rebuild_compiled: bool = False,
    ) -> JavaEnvironment:
        """The environment of a recipe for a tree, built now or found in the cache.

        Releases are those that the poms name: `date` has no say. `tree` is a pristine checkout and
        is only read; `tree_key` stands for its content. Raises InterpreterMissingError where no JDK
        fits, and EnvironmentBuildError with Maven's last lines, or the compiler's first error.
        """
        own = java_recipe(recipe)
        if not (tree / "pom.xml").is_file():
            message = "there is no `pom.xml` at the root; only Maven projects can be built yet"
            raise EnvironmentBuildError(message, recipe=str(own))
        maven = Maven(self._sandbox, find_jdk(own.java, OLDEST_LEVEL), self._offline)
        tools = Tools(self._cache, self._sandbox, maven)
        try:
            return _Job(tools, own, tree, tree_key).build()
        except ToolError as error:
            offline = " without network" if self._offline else ""
            message = f"the class path of {tree_key} cannot be resolved{offline}: {cause(error)}"
            raise build_error(message, error, recipe) from error


@dataclass(frozen=True)
class _Job:
    """One call of `JavaBuilder.build`."""

    tools: Tools
    recipe: JavaRecipe
    tree: Path
    tree_key: str

    def build(self) -> JavaEnvironment:
        project = self._project()
        jdk = find_jdk(self.recipe.java, int(project.facts["level"]))
        probe = self.tools.probe()
        launcher = self.tools.launcher(project.facts["jupiter"] or JUPITER)
        base = self._compiled(project, jdk, probe)
        return JavaEnvironment(
            key=short_key(
                base.name.partition("-")[0], [str(jar) for jar in launcher], self._used()
            ),
            recipe=self.recipe,
            packages=_jars(project),
            visible=(*jdk.visible, *_places(project, base, probe, launcher), *_supervisor()),
            overlays=(project.overlay,),
            java=jdk.java,
            probe=probe,
            project=project.file,
            classes=base / "classes",
            launcher=launcher,
            python=Path(sys.executable).resolve(),
        )

    def _project(self) -> Project:
        steps = (FORMAT, self.recipe.java, self.recipe.modules, self.recipe.arguments)
        resolving = Resolving(self.tools.maven, self.recipe, self.tree, self.tools.repository)
        shelf = self.tools.cache / "java" / "projects"
        return Project(make_once(shelf, short_key(self.tree_key, *steps), resolving.fill))

    def _compiled(self, project: Project, jdk: Jdk, probe: Path) -> Path:
        """The classes of this tree."""
        key = short_key(project.place.name.partition("-")[0], jdk.version, probe.parent.name)
        shelf = self.tools.cache / "java" / "classes"
        return make_once(shelf, key, lambda place: self._compile(place, project, jdk, probe))

    def _compile(self, place: Path, project: Project, jdk: Jdk, probe: Path) -> None:
        place.mkdir()
        with scratch(self.tools.cache) as private:
            tree = private / "tree"
            copy_tree(self.tree, tree)
            lay_over(project.overlay, tree)
            classes, report = place / "classes", place / "report.json"
            visible = [*jdk.visible, project.place, probe.parent, private]
            command = Command(
                argv=(
                    *(str(jdk.java), *COMPILER, "-cp", str(probe), "fixgate.compile.Main"),
                    *map(str, (project.file, tree, classes, classes, report)),
                ),
                directory=str(place),
                mounts=(*map(at_own_path, visible), at_own_path(place, writable=True)),
                limits=BUILD_LIMITS,
            )
            run_command(self.tools.sandbox, command)
        self._check(json.loads(report.read_text(encoding="utf-8")))

    def _check(self, report: dict[str, dict[str, str]]) -> None:
        """Tests that do not compile fail in runs; code that does not makes every test fail."""
        tests = tuple(f"{root}/" for root in _roots(report, test=True))
        wrong = [error for path, error in report["broken"].items() if not path.startswith(tests)]
        if wrong:
            message = f"{self.tree_key} does not compile: {wrong[0]}"
            raise EnvironmentBuildError(message, log="\n".join(wrong), recipe=str(self.recipe))

    def _used(self) -> object:
        """The parts of a recipe that matter once the environment is built."""
        recipe = self.recipe
        return recipe.framework, recipe.test_arguments, sorted(recipe.variables.items())


def _roots(report: Mapping[str, object], *, test: bool) -> list[str]:
    units = report["units"]
    assert isinstance(units, list)
    return [root for unit in units if unit["test"] is test for root in unit["roots"]]


def _jars(project: Project) -> tuple[str, ...]:
    units = json.loads(project.file.read_text(encoding="utf-8"))["units"]
    paths = {path for unit in units for path in unit["classpath"] if path.endswith(".jar")}
    return tuple(sorted(Path(path).name.removesuffix(".jar") for path in paths))


def _places(
    project: Project, base: Path, probe: Path, launcher: Sequence[Path]
) -> tuple[Path, ...]:
    return project.place, base, probe.parent, *launcher


def _supervisor() -> tuple[Path, ...]:
    """The interpreter of the supervisor; what is in /usr every sandbox has."""
    prefix = Path(sys.base_prefix).resolve()
    return () if prefix == Path("/usr") else (prefix,)
