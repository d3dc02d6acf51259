"""Units of a project that has no pom, as the probe's compiler reads them."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.languages.java.environment.absent import Absent
from evaluator.languages.java.environment.class_versions import level_of_libraries
from evaluator.languages.java.environment.found import Facts, write_facts
from evaluator.languages.java.environment.jdk import OLDEST_LEVEL, find_jdk
from evaluator.languages.java.environment.opened import open_packages
from evaluator.languages.java.environment.project import View, jupiter_of, level_options
from evaluator.languages.java.environment.types import JavaRecipe


@dataclass(frozen=True)
class SourceUnit:
    """Sources that are compiled together (see `probe/src/fixgate/compile/Unit.java`).

    `roots`, `resources` and `excludes` are paths relative to the tree; what is excluded belongs to
    no unit, or to another one. `classpath` has jars, `tree:PATH` and `unit:NAME`. Tests run in
    `directory`, relative to the tree, with the environment's `variables` and `machine`, options of
    the virtual machine. `level` is that of the language, 0 for that of the layout, and `options`
    are more of the compiler's. `left_out` says why it cannot be compiled, "" where it can.
    """

    name: str
    test: bool
    roots: Sequence[str]
    classpath: Sequence[str]
    resources: Sequence[str] = ()
    excludes: Sequence[str] = ()
    directory: str = ""
    level: int = 0
    options: Sequence[str] = ()
    machine: Sequence[str] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    left_out: str = ""


def keep_jar(jar: Path, place: Path, group: str = "") -> str:
    """A copy of a jar below a project, which sandboxes show; its place in a class path.

    Jars of one name are kept apart by their `group`.
    """
    directory = place / "jars" / group
    directory.mkdir(parents=True, exist_ok=True)
    return str(shutil.copy2(jar, directory / jar.name))


@dataclass(frozen=True)
class Layout:
    """The units of a project in the order in which they are compiled.

    `level` is that of the language, 0 where nothing says so: then it is that of the JDK at first.
    `ungenerated` says what the build tool could not generate, "" where it could; `absent` are the
    dependencies that are left out.
    """

    units: Sequence[SourceUnit]
    level: int = 0
    encoding: str = ""
    ungenerated: str = ""
    absent: Sequence[Absent] = ()

    @property
    def known_level(self) -> int:
        """The level that the JDK has to compile."""
        return max(self.level, OLDEST_LEVEL)

    def write(self, place: Path, recipe: JavaRecipe) -> None:
        """Write what `Project` reads. Raises InterpreterMissingError where no JDK fits."""
        jars = [entry for unit in self.units for entry in unit.classpath]
        facts = Facts(
            *(self.known_level, jupiter_of(jars), (), ""),
            absent=tuple(self.absent),
            ungenerated=self.ungenerated,
            libraries=level_of_libraries(map(Path, jars)),
        )
        newest = find_jdk(recipe.java, facts.level, facts.libraries).version
        (place / "overlay").mkdir(exist_ok=True)
        for view in View:
            text = json.dumps({"encoding": self.encoding, "units": self._described(newest, view)})
            (place / f"{view.value}.json").write_text(text, encoding="utf-8")
        write_facts(place, facts)

    def _described(self, newest: int, view: View) -> list[dict[str, object]]:
        least = self.level or (newest if view is View.RELEASE else OLDEST_LEVEL)
        return [
            {
                **dataclasses.asdict(unit),
                "machine": [*open_packages(unit.level or least, newest), *unit.machine],
                "options": [*level_options(unit.level or least, newest, view), *unit.options],
            }
            for unit in self.units
        ]
