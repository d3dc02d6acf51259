"""What Ant compiled, as units."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.languages.java.environment.ant_log import Call
from evaluator.languages.java.environment.units import Layout, SourceUnit, keep_jar
from evaluator.languages.java.test_files import JavaTests

_LEVEL = re.compile(r"(?:1\.)?(\d+)")
_TESTS = JavaTests()


@dataclass(frozen=True)
class AntBuild:
    """The compiler's calls for a copy of a tree, and the regular `files` that it has now.

    Of what lies elsewhere, only the jars of `ant` itself count, which are copied to `place`: code
    of the tree ran, and may name any file of the host.
    """

    copy: Path
    place: Path
    calls: Sequence[Call]
    files: frozenset[str]
    ant: frozenset[Path]

    def inside(self, path: Path) -> str:
        """A path relative to the tree, "" for the tree itself and for one outside."""
        below = path.is_relative_to(self.copy) and path != self.copy
        return path.relative_to(self.copy).as_posix() if below else ""

    def sources(self, unit: SourceUnit) -> set[str]:
        """The sources of a unit."""
        roots = tuple(f"{root}/" for root in unit.roots)
        found = {file for file in self.files if file.endswith(".java") and file.startswith(roots)}
        return found.difference(unit.excludes)

    def entry(self, path: Path) -> str:
        """A jar or a directory as a class path names it, "" for one that is not there."""
        inside = self.inside(path)
        if inside:
            below = any(file == inside or file.startswith(f"{inside}/") for file in self.files)
            return f"tree:{inside}" if below else ""
        return keep_jar(path, self.place) if path in self.ant else ""

    def has_classes_of(self, names: Collection[str], layout: Layout) -> bool:
        """Whether any of these names of files is a class that a unit compiles."""
        below = {name.removesuffix(".class") for name in names if name.endswith(".class")}
        return any(
            file.removeprefix(f"{root}/").removesuffix(".java") in below
            for unit in layout.units
            for file in self.sources(unit)
            for root in unit.roots
        )


def layout_of(compiled: AntBuild) -> Layout:
    """The units that tests need, in the order in which Ant compiled them."""
    units: list[tuple[Path, SourceUnit]] = []
    for call in _merged(compiled.calls):
        unit = _unit(f"ant-{len(units)}", call, compiled, units)
        if unit is not None:
            units.append((call.paths("-d")[0], unit))
    needed = _needed([unit for _, unit in units])
    levels = [match for c in compiled.calls if (match := _LEVEL.fullmatch(_option(c, "-source")))]
    encodings = (_option(call, "-encoding") for call in compiled.calls)
    return Layout(
        needed,
        max((int(match[1]) for match in levels), default=0),
        next(filter(None, encodings), ""),
    )


def _option(call: Call, name: str) -> str:
    return call.options.get(name, "")


def _merged(calls: Sequence[Call]) -> list[Call]:
    """Calls for the same directories are one: a source may have been left out at first."""
    found: dict[tuple[str, ...], Call] = {}
    for call in calls:
        key = tuple(_option(call, name) for name in ("-d", "-sourcepath", "-classpath"))
        before = found.get(key)
        found[key] = Call(call.options, (*(before.files if before else ()), *call.files))
    return [call for call in found.values() if call.paths("-d") and call.paths("-sourcepath")]


def _unit(
    name: str, call: Call, compiled: AntBuild, before: Sequence[tuple[Path, SourceUnit]]
) -> SourceUnit | None:
    """None where all was compiled before, into a directory on the class path."""
    roots = [root for path in call.paths("-sourcepath") if (root := compiled.inside(path))]
    seen = [unit for output, unit in before if output in call.paths("-classpath")]
    earlier = {file for unit in seen for file in compiled.sources(unit)}
    files = {compiled.inside(path) for path in call.files} - earlier
    if not files:
        return None
    every = SourceUnit(
        name,
        all(_TESTS.is_test(f"{root}/package/Name.java") for root in roots),
        roots,
        list(dict.fromkeys(_class_path(call, compiled, before))),
        [*roots, *filter(None, map(compiled.inside, call.paths("-d")))],
    )
    return dataclasses.replace(every, excludes=sorted(compiled.sources(every) - files))


def _class_path(
    call: Call, compiled: AntBuild, before: Sequence[tuple[Path, SourceUnit]]
) -> Iterator[str]:
    for entry in (*call.paths("-d"), *call.paths("-classpath")):
        units = [unit for output, unit in before if output == entry]
        for unit in units:
            yield f"unit:{unit.name}"
            yield from (f"tree:{root}" for root in unit.resources)
        if not units and entry not in call.paths("-d"):
            yield from filter(None, [compiled.entry(entry)])


def _needed(units: Sequence[SourceUnit]) -> list[SourceUnit]:
    names = {unit.name for unit in units if unit.test}
    for unit in reversed(units):
        if unit.name in names:
            names |= {entry.removeprefix("unit:") for entry in unit.classpath}
    return [unit for unit in units if unit.name in names]
