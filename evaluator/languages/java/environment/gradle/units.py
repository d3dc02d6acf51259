"""What Gradle says of source sets, as units."""

from __future__ import annotations

import functools
import os
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.gradle.described import (
    GradleProject,
    SourceSet,
    TestTask,
)
from evaluator.languages.java.environment.jdk import OLDEST_LEVEL
from evaluator.languages.java.environment.surefire import TREE, machine_arguments
from evaluator.languages.java.environment.units import Layout, SourceUnit, keep_jar
from evaluator.storage.keys import short_key

_LEVEL = re.compile(r"(?:1\.)?(\d+)")
_KEPT_OPTIONS = ("-parameters", "--enable-preview", "-proc:none")
_UNIT = "unit:"


@dataclass(frozen=True)
class GradleBuild:
    """The `projects` of a copy of a tree, the regular `files` that it has now.

    Of what lies elsewhere, only what Gradle downloaded to `home`, and Gradle's `own` jars, count,
    which are copied to `place`: code of the tree ran, and may name any file of the host. Tests are
    those of projects in the directories `modules`, all where there are none.
    """

    copy: Path
    home: Path
    place: Path
    projects: Sequence[GradleProject]
    files: Collection[str]
    own: Sequence[Path] = ()
    modules: Sequence[str] = ()

    def layout(self) -> Layout:
        """The units that tests need, each after those that it needs itself.

        Raises EnvironmentBuildError where source sets need each other.
        """
        sets = self._sets.items()
        units = {name: self._unit(name, *found) for name, found in sets if found[1].sources}
        needed = _in_order([unit for unit in units.values() if unit.test], units)
        encodings = (each.encoding for _, each in self._sets.values())
        return Layout(
            needed,
            max((unit.level for unit in needed), default=0),
            next(filter(None, encodings), ""),
        )

    @property
    def directories(self) -> Iterator[str]:
        """The directories of sources, resources, and classes of other languages."""
        for _, each in self._sets.values():
            places = (*each.roots, *each.resources, *each.made, *each.compiled)
            yield from filter(None, map(self.inside, places))

    @functools.cached_property
    def copies(self) -> Sequence[tuple[Path, Sequence[Path]]]:
        """Where Gradle copies resources to, and from which directories of the tree."""
        return [
            (made, [Path(root) for path in each.resources if (root := self.inside(path))])
            for _, each in self._sets.values()
            for made in each.made
        ]

    def inside(self, path: Path) -> str:
        """A path relative to the tree, "" for the tree itself and for one outside."""
        path = Path(os.path.normpath(path))
        below = path.is_relative_to(self.copy) and path != self.copy
        return path.relative_to(self.copy).as_posix() if below else ""

    @functools.cached_property
    def _sets(self) -> Mapping[str, tuple[GradleProject, SourceSet]]:
        """By the names of their units."""
        return {
            _name(number, each): (project, each)
            for number, project in enumerate(self.projects)
            for each in project.sets
        }

    @functools.cached_property
    def _owners(self) -> Mapping[Path, str]:
        """The unit whose classes or resources stand in a directory or an archive."""
        outputs = {
            path: name
            for name, (_, each) in self._sets.items()
            for path in (*each.classes, *each.made, *each.compiled)
        }
        archives = {
            archive.path: _name(number, packed)
            for number, project in enumerate(self.projects)
            for archive in project.archives
            if (packed := _packed(project, archive.name)) is not None
        }
        return archives | outputs

    def _unit(self, name: str, project: GradleProject, each: SourceSet) -> SourceUnit:
        task = _task_of(project, each)
        roots = tuple(filter(None, map(self.inside, each.roots)))
        here = not self.modules or self.inside(project.directory) in self.modules
        level = _LEVEL.fullmatch(each.level)
        return SourceUnit(
            name,
            task is not None and here,
            roots,
            list(dict.fromkeys(self._class_path(name, each))),
            self._resources(each),
            excludes=self._excluded(roots, each),
            directory=self.inside(task.directory if task else project.directory),
            level=max(int(level[1]), OLDEST_LEVEL) if level else 0,
            options=list(self._options(each)),
            machine=self._machine(task),
            variables=self._variables(task),
            left_out=each.error,
        )

    def _excluded(self, roots: Sequence[str], each: SourceSet) -> list[str]:
        below = tuple(f"{root}/" for root in roots)
        compiled = {self.inside(path) for path in each.sources}
        found = {file for file in self.files if file.endswith(".java") and file.startswith(below)}
        return sorted(found - compiled)

    def _resources(self, each: SourceSet) -> list[str]:
        """First what Gradle made of them: in a copy that is filled in, values have their places."""
        made = (path for path in (*each.made, *each.compiled) if path.is_dir())
        return list(filter(None, map(self.inside, (*made, *each.resources))))

    def _class_path(self, name: str, each: SourceSet) -> Iterator[str]:
        processors = [path for path in each.processors or () if path in self._owners]
        for path in (*each.class_path, *processors):
            owner = self._owners.get(path)
            if owner is None:
                yield from self._entry(path)
            elif owner != name:
                _, other = self._sets[owner]
                yield from ([f"{_UNIT}{owner}"] if other.sources else ())
                yield from (f"tree:{place}" for place in self._resources(other))

    def _entry(self, path: Path) -> Iterator[str]:
        """A jar or a directory as a class path names it; nothing for one that is not there."""
        if inside := self.inside(path):
            if any(file == inside or file.startswith(f"{inside}/") for file in self.files):
                yield f"tree:{inside}"
        elif path.is_file() and self._is_known(path.resolve()):
            yield keep_jar(path, self.place, short_key(str(path.parent)))

    def _is_known(self, jar: Path) -> bool:
        return any(jar.is_relative_to(place.resolve()) for place in (self.home, *self.own))

    def _options(self, each: SourceSet) -> Iterator[str]:
        """More options of the compiler."""
        yield from (option for option in each.options if option in _KEPT_OPTIONS)
        jars = [jar for path in each.processors or () for jar in self._entry(path)]
        if each.processors == [] and "-proc:none" not in each.options:
            yield "-proc:none"
        elif jars and all(path not in self._owners for path in each.processors or ()):
            yield from ("-processorpath", ":".join(jars))

    def _machine(self, task: TestTask | None) -> list[str]:
        words = shlex.join(task.machine).replace(str(self.copy), TREE) if task else ""
        return [word for word in machine_arguments(words) if not self._is_private(word)]

    def _variables(self, task: TestTask | None) -> Mapping[str, str]:
        found = task.variables if task else {}
        placed = {name: value.replace(str(self.copy), TREE) for name, value in found.items()}
        return {name: value for name, value in placed.items() if not self._is_private(value)}

    def _is_private(self, text: str) -> bool:
        """Whether a text names a place that is gone when tests run."""
        return str(self.copy.parent) in text or str(self.home) in text


def _name(number: int, each: SourceSet) -> str:
    return f"gradle-{number}-{each.name}"


def _packed(project: GradleProject, archive: str) -> SourceSet | None:
    """The source set whose classes a task packs, by its name; None where there is none."""
    named = {each.name: each for each in project.sets}
    words = archive.lower()
    own = next((each for name, each in named.items() if archive == f"{name}Jar"), None)
    return own or (named.get("test") if "test" in words else None) or named.get("main")


def _task_of(project: GradleProject, each: SourceSet) -> TestTask | None:
    """The task that runs the tests of a source set; None where it is none of tests."""
    return next((task for task in project.tests if set(task.classes) & set(each.classes)), None)


def _in_order(tests: Sequence[SourceUnit], units: Mapping[str, SourceUnit]) -> Sequence[SourceUnit]:
    """Tests and what they need, each behind what it needs itself."""
    needs = {
        unit.name: [word.removeprefix(_UNIT) for word in unit.classpath if word.startswith(_UNIT)]
        for unit in units.values()
    }
    wanted, pending = set[str](), [unit.name for unit in tests]
    while pending:
        name = pending.pop()
        if name not in wanted:
            wanted.add(name)
            pending += needs[name]
    sorter = TopologicalSorter({name: needs[name] for name in sorted(wanted)})
    try:
        return [units[name] for name in sorter.static_order()]
    except CycleError as error:
        needed = ", ".join(error.args[1][:3])
        raise EnvironmentBuildError(f"source sets of Gradle need each other: {needed}") from error
