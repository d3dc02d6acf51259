"""Builds Java environments, once for everyone who needs them."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
import re
import shutil
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from evaluator.checkout.scratch import lay_over
from evaluator.environment.tools import (
    ToolError,
    build_error,
    copy_tree,
)
from evaluator.environment.types import Recipe, SharedDownloads
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.coverage.tool import CoverageTool, find_tool
from evaluator.languages.java.environment.ant import Ant
from evaluator.languages.java.environment.archives import archive_of_tests
from evaluator.languages.java.environment.compiler import Compiler, find_compiler
from evaluator.languages.java.environment.downloads import Downloads
from evaluator.languages.java.environment.found import FORMAT, Project
from evaluator.languages.java.environment.gradle.build import Gradle
from evaluator.languages.java.environment.jdk import OLDEST_LEVEL, Jdk, find_jdk, installed, jdk_at
from evaluator.languages.java.environment.lifecycle import is_reached
from evaluator.languages.java.environment.maven import (
    DownloadInterruptedError,
    Maven,
    cause,
    interruption,
)
from evaluator.languages.java.environment.plain import REMEDY, Plain
from evaluator.languages.java.environment.pom import separate_projects
from evaluator.languages.java.environment.releases import Missing
from evaluator.languages.java.environment.removed import removed_from
from evaluator.languages.java.environment.resolve import Resolving
from evaluator.languages.java.environment.shell import with_shell
from evaluator.languages.java.environment.tools import JUPITER, Tools
from evaluator.languages.java.environment.types import JavaEnvironment, JavaRecipe, java_recipe
from evaluator.languages.java.environment.uncompiled import (
    Broken,
    broken,
    leave_out_modules,
    nothing_compiles,
    uncompiled,
)
from evaluator.languages.java.mutation.tool import find_mutator
from evaluator.sandbox.protocol import Sandbox
from evaluator.storage.keys import short_key
from evaluator.storage.once import completed, make_once
from evaluator.storage.scratch import scratch

COMPILED = "compiled"
_RETRY_SECONDS = 600
"""How long is kept what a tree comes to without the downloads that were cut short."""
_UNKNOWN = (
    "neither a `pom.xml`, a `build.gradle` nor a `build.xml` lies at the root, no `pom.xml` in a "
    "directory of it, and no `project.xml` that says literally what the project consists of"
)
_LACKING = re.compile(
    r"package (?:javax?|sun|com\.sun)\.[\w.]+ (?:does not exist|is not visible)"
    r"|location: (?:package|class|interface|variable \w+ of type) (?:javax?|sun|com\.sun)\."
    r"|\(package [\w.]+ is declared in module"
    r"|does not override abstract method .+ in (?:javax?|sun|com\.sun)\."
    r"|as of release \d+, '\w+' is a keyword"
)
"""The compiler's words for what later versions of Java removed, added or took for themselves."""


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
        downloads: SharedDownloads | None = None,
        changed: Collection[str] = (),
    ) -> JavaEnvironment:
        """The environment of a recipe for a tree, built now or found in the cache.

        Releases are those that the poms name, or the nearest ones where these are gone: `date` has
        no say, and neither has `changed`: what does not compile is left out on each side. `tree` is
        a pristine checkout and is only read; `tree_key` stands for its content.
        Raises InterpreterMissingError where no JDK fits, and EnvironmentBuildError with Maven's
        last lines, or the compiler's first error.
        """
        own = java_recipe(recipe)
        if own.build == "maven" and not ((tree / "pom.xml").is_file() or separate_projects(tree)):
            raise EnvironmentBuildError(f"there is no `pom.xml`; {REMEDY}", recipe=str(own))
        if not own.build:
            raise EnvironmentBuildError(f"{_UNKNOWN}; {REMEDY}", recipe=str(own))
        try:
            return _Job(self._tools(own), own, tree, tree_key, downloads).build()
        except ToolError as error:
            offline = " without network" if self._offline else ""
            reason = _interrupted(interruption(error)) or cause(error)
            message = f"the class path cannot be resolved{offline}: {reason}"
            raise build_error(message, error, recipe) from error

    def coverage(self, environment: JavaEnvironment) -> CoverageTool:
        """What measures coverage with an environment's JDK. Raises EnvironmentBuildError."""
        tools = self._tools(environment.recipe)
        try:
            return find_tool(tools, jdk_at(environment.java.parent.parent))
        except ToolError as error:
            message = f"JaCoCo cannot be brought: {cause(error)}"
            raise build_error(message, error, environment.recipe) from error

    def mutator(self, environment: JavaEnvironment) -> Path:
        """The jar that runs tests against mutants. Raises EnvironmentBuildError."""
        try:
            jdk = jdk_at(environment.java.parent.parent)
            return find_mutator(self._tools(environment.recipe), jdk)
        except ToolError as error:
            message = f"what makes mutants cannot be compiled: {cause(error)}"
            raise build_error(message, error, environment.recipe) from error

    def maven(self, repo: str, level: int) -> tuple[Maven, Downloads]:
        """Maven on a JDK for a level of Java, and what it downloads for a repository.

        Raises EnvironmentBuildError and InterpreterMissingError.
        """
        tools = self._tools(JavaRecipe())
        try:
            beginning = tools.repository
        except ToolError as error:
            raise build_error(f"Maven cannot be used: {cause(error)}", error, "") from error
        maven = dataclasses.replace(tools.maven, jdk=find_jdk((), level))
        return maven, Downloads(_shelf(self._cache, repo), beginning, trusted=True)

    def _tools(self, recipe: JavaRecipe) -> Tools:
        maven = Maven(self._sandbox, find_jdk(recipe.java, OLDEST_LEVEL), self._offline)
        return Tools(self._cache, self._sandbox, maven)


@dataclass(frozen=True)
class _Job:
    """One call of `JavaBuilder.build`."""

    tools: Tools
    recipe: JavaRecipe
    tree: Path
    tree_key: str
    downloads: SharedDownloads | None

    def build(self) -> JavaEnvironment:
        project = self._project()
        jdk = find_jdk(self.recipe.java, project.facts.level, project.facts.libraries)
        launcher = self.tools.launcher(project.facts.jupiter or JUPITER)
        compiler = find_compiler(self.tools, jdk)
        archives = archive_of_tests(self.tools, compiler, launcher)
        base = self._compiled(project, compiler)
        libraries, lacking = self._libraries(project, jdk)
        environment = JavaEnvironment(
            key=short_key(
                base.parent.name.partition("-")[0],
                [*map(str, (*launcher, *libraries))],
                self._used(),
            ),
            recipe=self.recipe,
            packages=(*_jars(project), *_remarks(project), *lacking),
            unbuilt=tuple(map(str, project.facts.absent)),
            uncompiled=uncompiled(base),
            visible=(
                *(*compiler.visible, project.place, base),
                *(*launcher, *archives, *libraries, *_supervisor()),
            ),
            overlays=(project.overlay,),
            java=jdk.java,
            probe=compiler.probe,
            compiler=compiler.options,
            project=base / "project.json",
            classes=base / "classes",
            launcher=launcher,
            archives=archives,
            libraries=libraries,
            python=Path(sys.executable).resolve(),
        )
        return with_shell(environment, self.tools.cache)

    def _libraries(self, project: Project, jdk: Jdk) -> tuple[tuple[Path, ...], tuple[str, ...]]:
        """What the code names and the JDK had once, or else why it does not come."""
        level, cache = project.facts.level, self.tools.cache
        wanted = removed_from(jdk, level, self.tree, self.tree_key, cache)
        try:
            return self.tools.jars(wanted) if wanted else (), ()
        except ToolError as error:
            return (), (f"left out, what the JDK had up to version 8: {cause(error)}",)

    def _project(self) -> Project:
        match self.recipe.build:
            case "ant":
                return self._found(Ant(self.tools, self.recipe, self.tree, self.tree_key))
            case "gradle":
                downloads = self._downloads(None, "gradle")
                return self._found(
                    Gradle(self.tools, self.recipe, self.tree, self.tree_key, downloads)
                )
            case "javac":
                return self._found(Plain(self.tools, self.recipe, self.tree))
            case _:
                return self._maven_project()

    def _found(self, project: Ant | Gradle | Plain) -> Project:
        key = short_key(project.key, *self._steps)
        return Project(make_once(self._projects, key, project.fill))

    @property
    def _projects(self) -> Path:
        return self.tools.cache / "java" / "projects"

    @property
    def _steps(self) -> tuple[object, ...]:
        """What of a recipe decides on a project, how it is written down, and where.

        What is written down is for the JDK that was chosen: others may be installed later.
        """
        recipe, place = self.recipe, str(self.tools.cache)
        versions = [jdk.version for jdk in installed()]
        said = recipe.build, recipe.java, recipe.modules, recipe.arguments
        return FORMAT, versions, *said, place

    def _maven_project(self) -> Project:
        """With the plug-ins run that the project's own poms call for, or else its parents'."""
        downloads = self._downloads(self.tools.repository)
        resolving = Resolving(self.tools, self.recipe, self.tree, downloads)
        phase = resolving.stated_phase
        project = self._asked(resolving, phase)
        needed = project.facts.phase
        if is_reached(needed, phase):
            return project
        return self._asked(resolving, needed, project.facts.releases)

    def _asked(self, resolving: Resolving, phase: str, gone: Collection[Missing] = ()) -> Project:
        """Found by the poms alone where no plug-in has to run for this tree.

        A download that was cut short is tried once more at once, and again some minutes later.
        """
        content = self.tree_key if phase else resolving.build_files
        fill = partial(resolving.fill, phase=phase, gone=gone)
        key = short_key(content, phase, *self._steps)
        soon = short_key(key, int(time.time()) // _RETRY_SECONDS)
        with contextlib.suppress(FileNotFoundError):
            return Project(completed(self._projects, soon))
        try:
            return Project(make_once(self._projects, key, fill))
        except DownloadInterruptedError:
            return Project(make_once(self._projects, soon, partial(fill, may_lack=True)))

    def _downloads(self, beginning: Path | None, *tool: str) -> Downloads:
        if self.downloads is None:
            return Downloads(None, beginning)
        place = _shelf(self.tools.cache, self.downloads.repo, *tool)
        return Downloads(place, beginning, trusted=self.downloads.trusted)

    def _compiled(self, project: Project, compiler: Compiler) -> Path:
        """The classes of this tree, and how they were compiled.

        What needs a part of Java that this JDK lacks, or a dependency that no repository has, is
        left out, with all that needs it; for any other error the whole module, if there is another
        one.
        """
        found = project.place.name.partition("-")[0]
        how = compiler.jdk.version, compiler.probe.parent.name, compiler.options
        key = short_key(self.tree_key, found, how)
        shelf = self.tools.cache / "java" / "classes"
        made = make_once(shelf, key, lambda place: self._compile(place, project, compiler))
        return made / COMPILED

    def _compile(self, place: Path, project: Project, compiler: Compiler) -> None:
        place.mkdir()
        with scratch(self.tools.cache) as private:
            tree = private / "tree"
            copy_tree(self.tree, tree)
            lay_over(project.overlay, tree)
            wrong = self._try_all(place, project, compiler, tree)
            if project.facts.absent and (error := nothing_compiles(place / COMPILED, tree)):
                raise self._error(project, [error])
            for_jdk = any(map(_LACKING.search, broken(place / COMPILED).code.values()))
            alone = for_jdk or bool(project.facts.absent)
            usable = not wrong or alone or leave_out_modules(place / COMPILED, tree)
        if not usable:
            raise self._error(project, wrong)

    def _error(self, project: Project, wrong: Sequence[str]) -> EnvironmentBuildError:
        message = ": ".join(["the code does not compile", *_lacking(project), wrong[0]])
        return EnvironmentBuildError(message, log="\n".join(wrong), recipe=str(self.recipe))

    def _try_all(self, place: Path, project: Project, compiler: Compiler, tree: Path) -> list[str]:
        """Compile in the first way that works, else in the one that leaves the least out.

        Code counts before tests: those that do not compile fail in runs. The errors of code in the
        first way, where it compiles in none.
        """
        wrong: dict[Path, Broken] = {}
        for file in project.files:
            attempt = place / file.stem
            attempt.mkdir()
            shutil.copyfile(file, attempt / "project.json")
            classes = attempt / "classes"
            arguments = (file, tree, classes, classes, attempt / "report.json")
            visible = (project.place, tree)
            compiler.run(self.tools.sandbox, arguments, place=attempt, visible=visible)
            wrong[attempt] = broken(attempt)
            if not any(wrong[attempt].extent):
                break
        best = min(wrong, key=lambda attempt: wrong[attempt].extent)
        best.rename(place / COMPILED)
        return [*next(iter(wrong.values())).code.values()] if wrong[best].code else []

    def _used(self) -> object:
        """The parts of a recipe that matter once the environment is built."""
        recipe = self.recipe
        return recipe.framework, recipe.test_arguments, sorted(recipe.variables.items())


def _interrupted(said: str) -> str:
    """The words for a download that was cut short, "" where none was."""
    return f"a download was cut short, try again later ({said})" if said else ""


def _shelf(cache: Path, repo: str, *tool: str) -> Path:
    return cache / "java" / "downloads" / short_key(repo, *tool)


def _remarks(project: Project) -> tuple[str, ...]:
    """What else there is to say of the packages of a project."""
    return *map(str, project.facts.releases), *_lacking(project)


def _lacking(project: Project) -> tuple[str, ...]:
    """What its class path lacks, and why."""
    interrupted = _interrupted(project.facts.interrupted)
    absent = (f"{each} is left out, as no repository has it" for each in project.facts.absent)
    failing = (f"left out, as it fails: {each}" for each in project.facts.failing)
    ungenerated = project.facts.ungenerated
    nothing = f"Gradle does not generate everything: {ungenerated}" if ungenerated else ""
    return *absent, *failing, *filter(None, [interrupted, nothing])


def _jars(project: Project) -> tuple[str, ...]:
    units = json.loads(project.files[0].read_text(encoding="utf-8"))["units"]
    paths = {path for unit in units for path in unit["classpath"] if path.endswith(".jar")}
    return tuple(sorted(Path(path).name.removesuffix(".jar") for path in paths))


def _supervisor() -> tuple[Path, ...]:
    """The interpreter of the supervisor; what is in /usr every sandbox has."""
    prefix = Path(sys.base_prefix).resolve()
    return () if prefix == Path("/usr") else (prefix,)
