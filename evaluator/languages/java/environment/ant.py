"""Projects that Ant builds: it compiles them once, and reports how.

Ant itself comes from Maven Central, as the other tools do.
"""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

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
from evaluator.languages.java.environment.ant_log import read_calls
from evaluator.languages.java.environment.ant_units import AntBuild, layout_of
from evaluator.languages.java.environment.plain import REMEDY
from evaluator.languages.java.environment.tools import Artifact, Tools
from evaluator.languages.java.environment.types import JavaRecipe
from evaluator.languages.java.environment.units import Layout
from evaluator.sandbox.protocol import Command

_ANT: tuple[Artifact, ...] = (
    ("org.apache.ant", "ant", "1.10.15"),
    ("org.apache.ant", "ant-junit", "1.10.15"),
)
_BUILD_FILE = "build.xml"
_RUNNERS = ("junit", "junitlauncher", "testng")
_LEVEL = ("-Dant.build.javac.source=1.8", "-Dant.build.javac.target=1.8")
_OLD_LEVEL = re.compile(
    r'((?:source|target|jvm|compile)[\w.-]*"?\s*(?:value\s*=\s*"|[=:]\s*"?)\s*)'
    r'(?:1\.)?[1-7](?=\s*(?:"|$))',
    re.IGNORECASE | re.MULTILINE,
)
_CAUSE = re.compile(r"^BUILD FAILED\n(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Ant:
    """A tree with a `build.xml`."""

    tools: Tools
    recipe: JavaRecipe
    tree: Path
    tree_key: str

    @property
    def key(self) -> str:
        """Of all that decides on what Ant does, which is the whole tree."""
        return self.tree_key

    def fill(self, place: Path) -> None:
        """Write what `Project` reads. Raises EnvironmentBuildError."""
        targets = self._targets()
        work = place / "work"
        copy = work / "tree"
        work.mkdir(parents=True)
        copy_tree(self.tree, copy)
        _raise_levels(copy)
        layout = self._layout(copy, self._log(work, targets), place)
        _keep(place, copy, self.tree, layout)
        layout.write(place, self.recipe)
        shutil.rmtree(work)

    def _targets(self) -> Sequence[str]:
        """The recipe's arguments, and where no target is among them, what tests depend on."""
        given = self.recipe.arguments
        if any(not word.startswith("-") for word in given):
            return given
        try:
            found = _before_tests(ET.parse(self.tree / _BUILD_FILE).getroot())  # noqa: S314
        except (OSError, ET.ParseError) as error:
            raise self._error(f"`{_BUILD_FILE}` cannot be read: {error}; {REMEDY}") from error
        if not found:
            raise self._error(
                f"no target of `{_BUILD_FILE}` compiles tests for one that runs them; write the "
                f"target that does as `arguments: [TARGET]`, or {REMEDY}"
            )
        return (*given, *found)

    def _log(self, work: Path, targets: Sequence[str]) -> str:
        jdk, jars = self.tools.maven.jdk, self.tools.jars(_ANT)
        options = ("-v", "-noinput", *_LEVEL, f"-Duser.home={work}")
        class_path = ":".join(map(str, jars))
        machine = (str(jdk.java), "-XX:TieredStopAtLevel=1", "-cp", class_path)
        command = Command(
            argv=(*machine, "org.apache.tools.ant.Main", *options, *targets),
            directory=str(work / "tree"),
            mounts=(*map(at_own_path, (*jdk.visible, *jars)), at_own_path(work, writable=True)),
            environment={"HOME": str(work), "JAVA_HOME": str(jdk.home)},
            limits=BUILD_LIMITS,
            network=not self.tools.maven.offline,
            purpose="running Ant",
        )
        try:
            return run_command(self.tools.sandbox, command)
        except ToolError as error:
            cause = _CAUSE.search(error.log)
            said = cause[1] if cause else str(error)
            raise self._error(f"Ant cannot build it: {said}; {REMEDY}", error.log) from error

    def _layout(self, copy: Path, log: str, place: Path) -> Layout:
        files, ant = frozenset(regular_files(copy)), frozenset(self.tools.jars(_ANT))
        compiled = AntBuild(copy, place, read_calls(log), files, ant)
        layout = layout_of(compiled)
        if not any(unit.test for unit in layout.units):
            raise self._error(f"Ant compiled no directory of tests; {REMEDY}", log)
        made = {file for file in files if not (self.tree / file).exists()}
        for jar in sorted(made.intersection(_jars_of(layout))):
            if compiled.has_classes_of(_names_in(copy / jar), layout):
                raise self._error(
                    f"`{jar}`, which tests run with, is made of sources that may change; {REMEDY}"
                )
        return layout

    def _error(self, message: str, log: str = "") -> EnvironmentBuildError:
        return EnvironmentBuildError(message, log=log, recipe=str(self.recipe))


def _before_tests(project: ET.Element) -> list[str]:
    """The targets that the first target with a task that runs tests depends on."""
    for target in project.iter("target"):
        if any(next(target.iter(name), None) is not None for name in _RUNNERS):
            names = [name.strip() for name in target.get("depends", "").split(",")]
            if any(names):
                return [name for name in names if name]
    return []


def _raise_levels(tree: Path) -> None:
    """Have old sources compiled as 8, the oldest level that every JDK of today compiles."""
    for name in regular_files(tree):
        if Path(name).name in (_BUILD_FILE, "build.properties", "default.properties"):
            before = (tree / name).read_bytes().decode("latin-1")
            after = _OLD_LEVEL.sub(r"\g<1>1.8", before)
            if after != before:
                (tree / name).write_bytes(after.encode("latin-1"))


def _names_in(jar: Path) -> list[str]:
    return zipfile.ZipFile(jar).namelist() if zipfile.is_zipfile(jar) else []


def _jars_of(layout: Layout) -> Iterator[str]:
    for unit in layout.units:
        yield from (each.removeprefix("tree:") for each in unit.classpath if each.endswith(".jar"))


def _keep(place: Path, copy: Path, tree: Path, layout: Layout) -> None:
    """What Ant made, but for the classes: runs compile these themselves."""
    places = [root for unit in layout.units for root in unit.resources]
    for file in regular_files(copy):
        compiled = file.endswith(".class") and any(file.startswith(f"{at}/") for at in places)
        if not compiled and not (tree / file).exists():
            link_file(copy / file, place / "overlay" / file)
