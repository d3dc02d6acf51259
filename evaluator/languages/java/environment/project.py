"""What Maven says of a project: its modules, their sources, and what these are compiled with."""

from __future__ import annotations

import enum
import os
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.languages.java.environment import pom as poms
from evaluator.languages.java.environment.jdk import OLDEST_LEVEL, released
from evaluator.languages.java.environment.lifecycle import comes_before
from evaluator.languages.java.environment.opened import FIRST_WITH_MODULES
from evaluator.languages.java.environment.other_languages import roots_of_others
from evaluator.languages.java.environment.surefire import agents, machine_options, variables
from evaluator.languages.java.environment.tools import Artifact

CLASS_PATH = "fixgate-classpath.txt"
PROCESSORS = "fixgate-processors.txt"
LAST_WITH_SEVEN = 19
"""The last JDK that compiles level 7."""
_TESTS = "+tests"
"""No name of an artifact has a `+`: beside `brave`, there is `brave-tests`."""
_COMPILER = "maven-compiler-plugin"
_OF_MODULES = re.compile(r"--add-(exports|modules)[=\s]\s*((?:java|jdk)\.[^\s=,${}]+)")
_LEVELS = ("release", "source")
_LEVELS_OF_TESTS = ("testRelease", "release", "testSource", "source")
_JUPITER = re.compile(r"junit-jupiter-(?:api|engine|params)-(\d+\.\d+(?:\.\d+)?(?:-\w+)?)\.jar")


class View(enum.Enum):
    """What sources see of Java, in the order in which it is tried.

    Java as it was at their level; with what this JDK has beside it; as it was at level 7, for old
    code that later rules of types refuse.
    """

    RELEASE = "project"
    JDK = "project-of-jdk"
    OLD = "project-of-old"


@dataclass(frozen=True)
class Module:
    """One Maven project. Paths are absolute, in the copy of the tree that Maven saw.

    `left_out` says why it cannot be compiled, "" where nothing is known to be in the way.
    """

    pom: ET.Element
    directory: Path
    left_out: str = ""

    def text(self, *path: str) -> str:
        """The text of an element of the effective pom, "" where it is absent."""
        return poms.text(self.pom, *path)

    @property
    def name(self) -> str:
        """Unique among the modules, and usable as a file's name."""
        return f"{self.text('groupId')}.{self.text('artifactId')}"

    def unit(self, *, test: bool) -> str:
        """The name of its sources, or of its tests."""
        return f"{self.name}{_TESTS}" if test else self.name

    def place(self, *path: str) -> Path:
        """A directory that the effective pom names."""
        return Path(self.text("build", *path))

    def output(self, *, test: bool) -> Path:
        """Where Maven puts the classes."""
        return self.place("testOutputDirectory" if test else "outputDirectory")

    @property
    def class_path(self) -> tuple[str, ...]:
        """Jars and directories for its tests, as Maven resolved them."""
        file = self.directory / CLASS_PATH
        text = file.read_text(encoding="utf-8").strip() if file.is_file() else ""
        return tuple(filter(None, text.split(os.pathsep)))

    def keep_jars(self, repository: Path, own: Path) -> None:
        """Copy the jars of its class path out of a local repository that others may change."""
        kept = []
        for entry in map(Path, self.class_path):
            if entry.is_file() and entry.resolve().is_relative_to(repository.resolve()):
                jar = own / entry.relative_to(repository)
                jar.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(entry, jar, follow_symlinks=False)
                entry = jar
            kept.append(str(entry))
        (self.directory / CLASS_PATH).write_text(os.pathsep.join(kept), encoding="utf-8")

    @property
    def processors(self) -> tuple[Artifact, ...]:
        """Artifacts that its compiler has annotation processors from, in place of its class path.

        Empty where the pom leaves that to the class path.
        """
        steps = ("configuration", "annotationProcessorPaths", "*")
        found = [
            tuple(poms.text(path, part) for part in ("groupId", "artifactId", "version"))
            for plugin in poms.plugins(self.pom, _COMPILER)
            for path in poms.elements(plugin, *steps)
        ]
        return tuple(
            (group, name, version or self._managed(group, name)) for group, name, version in found
        )

    def _managed(self, group: str, name: str) -> str:
        """The version that its dependency management states for an artifact, "" without any."""
        managed = poms.elements(self.pom, "dependencyManagement", "dependencies", "dependency")
        return next(
            (
                poms.text(each, "version")
                for each in managed
                if (poms.text(each, "groupId"), poms.text(each, "artifactId")) == (group, name)
            ),
            "",
        )

    def keep_processors(self, jars: Sequence[Path], own: Path) -> None:
        """Copy the jars of its annotation processors, and have it compiled with these."""
        own.mkdir(exist_ok=True)
        kept = [str(shutil.copy2(jar, own / jar.name)) for jar in jars]
        (self.directory / PROCESSORS).write_text(os.pathsep.join(kept), encoding="utf-8")

    @property
    def processor_path(self) -> str:
        """The jars that were kept, "" for those of the class path."""
        file = self.directory / PROCESSORS
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    @property
    def resolved(self) -> bool:
        """Whether Maven could say what its class path is."""
        return (self.directory / CLASS_PATH).is_file()

    def compiler(self, name: str, *, test: bool = False) -> str:
        """A parameter of the compiler's plugin, from its configuration or the properties.

        Of a `test`, what the execution says that compiles tests comes before.
        """
        for plugin in poms.plugins(self.pom, _COMPILER):
            for place in (*(_compiling_tests(plugin) if test else ()), plugin):
                found = poms.text(place, "configuration", name)
                if found and not found.startswith("${"):
                    return found
        return self.text("properties", f"maven.compiler.{name}")

    @property
    def processes_nothing(self) -> bool:
        """Whether it is compiled without annotation processors: it may hold one itself."""
        return "-proc:none" in self._compiler_texts or self.compiler("proc") == "none"

    @property
    def keeps_parameters(self) -> bool:
        """Whether the names of parameters are kept in its classes."""
        return "-parameters" in self._compiler_texts or self.compiler("parameters") == "true"

    @property
    def opened_modules(self) -> tuple[str, ...]:
        """Options by which its compiler sees of the JDK's modules what these keep to themselves.

        So does all code here, as it is compiled on the class path.
        """
        found = dict.fromkeys(_OF_MODULES.findall(" ".join(self._compiler_texts)))
        whom = {"exports": "=ALL-UNNAMED", "modules": ""}
        return tuple(f"--add-{what}={value}{whom[what]}" for what, value in found)

    @property
    def _compiler_texts(self) -> tuple[str, ...]:
        compilers = poms.plugins(self.pom, _COMPILER)
        parts = (part for compiler in compilers for part in compiler.iter())
        return tuple((part.text or "").strip() for part in parts)

    def level(self, *, test: bool) -> int:
        """The version of the language that its sources are for, or its tests.

        See https://maven.apache.org/plugins/maven-compiler-plugin/testCompile-mojo.html.
        """
        names = _LEVELS_OF_TESTS if test else _LEVELS
        stated = next(filter(None, (self.compiler(name, test=test) for name in names)), "")
        digits = re.fullmatch(r"(?:1\.)?(\d+)", stated)
        return max(int(digits.group(1)) if digits else OLDEST_LEVEL, OLDEST_LEVEL)

    @property
    def encoding(self) -> str:
        """The encoding of its sources, "" where none is stated."""
        stated = self.compiler("encoding") or self.text(
            "properties", "project.build.sourceEncoding"
        )
        return "" if stated.startswith("${") else stated

    def resources(self, kind: str) -> Iterator[Path]:
        """Directories of each `resource` or `testResource`, as they lie on the class path."""
        for element in poms.elements(self.pom, "build", f"{kind}s", kind):
            target = poms.text(element, "targetPath").strip("/")
            yield Path(poms.text(element, "directory").removesuffix(f"/{target}"))

    def sources(self, *, test: bool) -> Iterator[Path]:
        """Directories of sources, the generated ones too.

        What Maven's compiler had annotation processors write, ours has them write again.
        """
        yield self.place("testSourceDirectory" if test else "sourceDirectory")
        yield from self.added_sources(test=test)
        generated = "generated-test-sources" if test else "generated-sources"
        again = set() if self.processes_nothing else {self._processed(test=test)}
        yield from sorted(
            path
            for path in self.place("directory").glob(f"{generated}/*")
            if path.is_dir() and path not in again
        )

    def _processed(self, *, test: bool) -> Path:
        """Where Maven's compiler has annotation processors write sources."""
        stated = self.compiler(f"generated{'Test' if test else ''}SourcesDirectory")
        usual = (
            "generated-test-sources/test-annotations" if test else "generated-sources/annotations"
        )
        return self.directory / stated if stated else self.place("directory") / usual

    def added_sources(self, *, test: bool) -> Iterator[Path]:
        """Directories that a plug-in adds to its sources, or to its tests, before these compile."""
        yield from (self.directory / root for root in roots_of_others(self.pom, test=test))
        goal = "add-test-source" if test else "add-source"
        compiling = "test-compile" if test else "compile"
        for plugin in poms.plugins(self.pom, "build-helper-maven-plugin"):
            for execution in poms.elements(plugin, "executions", "execution"):
                if not comes_before(poms.text(execution, "phase"), compiling):
                    continue
                goals = {each.text for each in poms.elements(execution, "goals", "goal")}
                for source in poms.elements(execution, "configuration", "sources", "*"):
                    if goal in goals and source.text:
                        # Some modules share those of a directory beside them.
                        yield Path(os.path.normpath(self.directory / source.text.strip()))


def _compiling_tests(plugin: ET.Element) -> Iterator[ET.Element]:
    """The executions of a plug-in that compile tests."""
    for execution in poms.elements(plugin, "executions", "execution"):
        goals = poms.elements(execution, "goals", "goal")
        if any((goal.text or "").strip() == "testCompile" for goal in goals):
            yield execution


def read_modules(effective: Path, tree: Path) -> tuple[Module, ...]:
    """The modules of an effective pom of a tree, in the order in which they are built.

    It does not say where the pom of a module lies: by default, what is built is put beside it.
    """
    modules = [pom for pom in poms.projects(effective) if poms.text(pom, "packaging") != "pom"]
    known = poms.artifacts(tree)
    return tuple(Module(pom, _directory(pom, known)) for pom in modules)


def _directory(pom: ET.Element, known: Iterable[tuple[str, Path]]) -> Path:
    built = Path(poms.text(pom, "build", "directory"))
    return poms.place_of(poms.text(pom, "artifactId"), known) or built.parent


def level_of(modules: Sequence[Module]) -> int:
    """The newest level of any."""
    levels = (module.level(test=test) for module in modules for test in (False, True))
    return max(levels, default=OLDEST_LEVEL)


def jupiter_of(class_path: Iterable[str]) -> str:
    """The version of Jupiter that tests are written for; "" where none is."""
    found = [match.group(1) for path in class_path if (match := _JUPITER.search(path))]
    return max(found, key=_numbers, default="")


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def described(modules: Sequence[Module], tree: Path, newest: int, view: View) -> Mapping[str, Any]:
    """The modules as the probe's compiler reads them (see `probe/src/fixgate/compile`).

    `newest` is the level that the JDK compiles, `view` what sources see of Java.
    """
    encodings = [module.encoding for module in modules]
    units = [
        {**unit, "options": _options(module, newest, view, test=bool(unit["test"]))}
        for module in modules
        for unit in _units(module, modules, tree, newest)
    ]
    return {"encoding": next(filter(None, encodings), ""), "units": units}


def _units(
    module: Module, modules: Sequence[Module], tree: Path, newest: int
) -> Iterator[Mapping[str, Any]]:
    outputs = {
        str(each.output(test=test)): _entries(each, tree, test=test)
        for each in modules
        for test in (False, True)
    }
    class_path = [
        part
        for entry in module.class_path
        for part in outputs.get(entry, (_of_tree(Path(entry), tree),))
    ]
    for test in (False, True):
        yield {
            "name": module.unit(test=test),
            "test": test,
            "directory": relative(module.directory, tree),
            "roots": [relative(path, tree) for path in module.sources(test=test)],
            "resources": _resources(module, tree, test=test),
            "output": relative(module.output(test=test), tree),
            "classpath": [*(_entries(module, tree, test=False) if test else ()), *class_path],
            "machine": [
                *machine_options(module.pom, module.level(test=False), newest, str(tree)),
                *agents(module.pom, class_path),
            ],
            "variables": variables(module.pom, str(tree)),
            "left_out": module.left_out,
        }


def _of_tree(entry: Path, tree: Path) -> str:
    """A jar that lies in the tree lies in every tree of this commit."""
    return f"tree:{relative(entry, tree)}" if entry.is_relative_to(tree) else str(entry)


def _entries(module: Module, tree: Path, *, test: bool) -> tuple[str, ...]:
    """What stands in a class path for a directory that Maven would compile a module into."""
    resources = _resources(module, tree, test=test)
    return f"unit:{module.unit(test=test)}", *(f"tree:{path}" for path in resources)


def _resources(module: Module, tree: Path, *, test: bool) -> list[str]:
    """As they lie in the tree, and as Maven and plug-ins wrote them: first where it filters."""
    kind = "testResource" if test else "resource"
    places, made = list(module.resources(kind)), module.output(test=test)
    if made.is_dir():
        places.insert(0 if poms.filters(module.pom, kind) else len(places), made)
    return [relative(path, tree) for path in places]


def level_options(level: int, newest: int, view: View) -> list[str]:
    """Options of the compiler for a level of the language."""
    chosen = max(min(level, newest), OLDEST_LEVEL)
    if view is View.OLD and level <= OLDEST_LEVEL and newest <= LAST_WITH_SEVEN:
        chosen = 7
    whole = ["-source", str(chosen), "-target", str(chosen)]
    options = whole if view is View.JDK else released(chosen, newest)
    options += ["-g", "-nowarn", "-Xlint:none"]
    return [*options, "-XDignore.symbol.file", "-Xmaxerrs", "1000"]


def _options(module: Module, newest: int, view: View, *, test: bool) -> list[str]:
    level = module.level(test=test)
    options = level_options(level, newest, view)
    if view is View.JDK and min(level, newest) >= FIRST_WITH_MODULES:
        # Nothing is added to Java as it was at a level, and at those before modules all is seen.
        options += module.opened_modules
    options += ["-parameters"] if module.keeps_parameters else []
    options += ["-processorpath", module.processor_path] if module.processor_path else []
    return [*options, "-proc:none"] if module.processes_nothing else options


def relative(path: Path, tree: Path) -> str:
    """A directory relative to the tree; as it is where it lies outside."""
    inside = path.is_relative_to(tree)
    return path.relative_to(tree).as_posix().removeprefix(".") if inside else str(path)
