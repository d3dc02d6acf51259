"""Projects that Gradle builds: it says what they consist of, and generates what they need.

https://docs.gradle.org/current/userguide/java_plugin.html
"""

from __future__ import annotations

import dataclasses
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.checkout.one_commit import one_commit
from evaluator.environment.tools import (
    BUILD_LIMITS,
    ToolError,
    at_own_path,
    copy_tree,
    link_file,
    regular_files,
    run_command,
)
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.downloads import Downloads
from evaluator.languages.java.environment.gradle.described import GradleProject, read_projects
from evaluator.languages.java.environment.gradle.installed import (
    GradleDistribution,
    distributions,
    why_none,
)
from evaluator.languages.java.environment.gradle.units import GradleBuild
from evaluator.languages.java.environment.made import is_copied
from evaluator.languages.java.environment.plain import REMEDY
from evaluator.languages.java.environment.settings import mirror_of_central
from evaluator.languages.java.environment.tools import Tools
from evaluator.languages.java.environment.types import JavaRecipe
from evaluator.sandbox.protocol import Command

_SCRIPT = Path(__file__).with_name("layout.gradle")
_TASK = "fixgateLayout"
_OPTIONS = (
    *("--no-daemon", "--console=plain", "--continue"),
    *("-Dorg.gradle.configuration-cache=false", "-Dorg.gradle.vfs.watch=false"),
)
_PROXY = re.compile(
    r"^systemProp\.(https?\.(?:proxyHost|proxyPort|nonProxyHosts))\s*=\s*(\S+)\s*$", re.MULTILINE
)
"""https://docs.gradle.org/current/userguide/networking.html; not its user, nor its password."""
_OF_A_TASK = re.compile(
    r"^Execution failed for|^Could not determine the dependencies", re.MULTILINE
)
_WENT_WRONG = re.compile(r"^\* What went wrong:\n((?:.+\n?)+)", re.MULTILINE)
_THROWN = re.compile(r'^Exception in thread "\w+" (.+)$', re.MULTILINE)
"""What a wrapper says that cannot download."""


@dataclass(frozen=True)
class Gradle:
    """A tree with scripts of Gradle."""

    tools: Tools
    recipe: JavaRecipe
    tree: Path
    tree_key: str
    downloads: Downloads

    @property
    def key(self) -> str:
        """Of all that decides on what Gradle does, which is the whole tree."""
        return self.tree_key

    def fill(self, place: Path) -> None:
        """Write what `Project` reads. Raises EnvironmentBuildError."""
        work = place / "work"
        copy = work / "tree"
        work.mkdir(parents=True)
        copy_tree(self.tree, copy)
        # Many builds ask git for the version.
        one_commit(self.tree, copy / ".git")
        with self.downloads.repository(work / "home") as home:
            answer = self._answer(_Run(self, work, home))
            files = frozenset(regular_files(copy))
            build = GradleBuild(
                *(copy, home, place, answer.projects, files),
                own=answer.distribution.visible,
                modules=self.recipe.modules,
            )
            layout = dataclasses.replace(build.layout(), ungenerated=answer.ungenerated)
        if not layout.units:
            raise self._error("Gradle has no task that runs tests written in Java")
        _keep(place, build, self.tree)
        layout.write(place, self.recipe)
        shutil.rmtree(work)

    def _answer(self, run: _Run) -> _Answer:
        found = distributions(run.work / "tree", offline=self.tools.maven.offline)
        if not found:
            lacking = why_none(run.work / "tree", offline=self.tools.maven.offline)
            raise self._error(
                f"what it consists of only running its Gradle scripts would say, and {lacking}"
            )
        errors = dict[str, ToolError]()
        for distribution in found:
            try:
                return run.answer(distribution)
            except ToolError as error:
                errors[distribution.name] = error
        causes = "; ".join(f"{name}: {_cause(error)}" for name, error in errors.items())
        logs = "\n".join(error.log for error in errors.values())
        raise self._error(f"Gradle cannot say what it consists of: {causes}", logs)

    def _error(self, message: str, log: str = "") -> EnvironmentBuildError:
        return EnvironmentBuildError(f"{message}; {REMEDY}", log=log, recipe=str(self.recipe))


@dataclass(frozen=True)
class _Answer:
    """The projects of a build; `ungenerated` says what could not be generated, "" where all was."""

    distribution: GradleDistribution
    projects: Sequence[GradleProject]
    ungenerated: str = ""


@dataclass(frozen=True)
class _Run:
    """Gradle in a copy of the tree below `work`, with what it downloads in `home`."""

    gradle: Gradle
    work: Path
    home: Path

    def answer(self, distribution: GradleDistribution) -> _Answer:
        """What Gradle says of each project; without generating more, where a task of it fails.

        Raises ToolError, and EnvironmentBuildError.
        """
        written = Path(tempfile.mkdtemp(dir=self.work))
        try:
            self._start(distribution, written)
        except ToolError as first:
            if not _OF_A_TASK.search(first.log):
                raise
            try:
                self._start(distribution, written, "-PfixgatePlain")
            except ToolError as second:
                raise second.after(first) from second
            return _Answer(distribution, read_projects(written), _cause(first))
        return _Answer(distribution, read_projects(written))

    def _start(self, distribution: GradleDistribution, written: Path, *more: str) -> None:
        maven, jdk = self.gradle.tools.maven, distribution.jdk
        words = [*_OPTIONS, *_proxies(), "--init-script", str(_SCRIPT), f"-P{_TASK}={written}"]
        words += [f"-PfixgateMirror={mirror_of_central()}", *more]
        words += ["--offline"] if maven.offline else []
        shown = map(at_own_path, (*jdk.visible, *distribution.visible, _SCRIPT))
        writable = (at_own_path(path, writable=True) for path in (self.work, self.home))
        command = Command(
            argv=(*distribution.command, *words, *self.gradle.recipe.arguments, _TASK),
            directory=str(self.work / "tree"),
            mounts=(*shown, *writable),
            environment={
                "HOME": str(self.work),
                "GRADLE_USER_HOME": str(self.home),
                "JAVA_HOME": str(jdk.home),
                "GRADLE_OPTS": f"-Duser.home={self.work}",
                "PATH": f"{jdk.home}/bin:/usr/local/bin:/usr/bin:/bin",
            },
            limits=BUILD_LIMITS,
            network=not maven.offline,
            purpose="running Gradle",
        )
        run_command(self.gradle.tools.sandbox, command)


def _proxies() -> Sequence[str]:
    """The user's own."""
    stated = Path.home() / ".gradle" / "gradle.properties"
    text = stated.read_text(encoding="utf-8", errors="replace") if stated.is_file() else ""
    return [f"-D{name}={value}" for name, value in _PROXY.findall(text)]


def _cause(error: ToolError) -> str:
    """What Gradle itself says first, in one line."""
    found = _WENT_WRONG.search(error.log) or _THROWN.search(error.log)
    lines = found[1].splitlines() if found else str(error).splitlines()[-1:]
    return " ".join(line.strip() for line in lines)


def _keep(place: Path, build: GradleBuild, tree: Path) -> None:
    roots = tuple(f"{each}/" for each in dict.fromkeys(build.directories))
    for file in build.files:
        made = file.startswith(roots) and not (tree / file).exists()
        if made and not is_copied(build.copy / file, build.copies, tree):
            link_file(build.copy / file, place / "overlay" / file)
