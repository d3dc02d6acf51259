"""What of a project its environment does without, since it does not compile here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.environment.types import Uncompiled

_UNIT = "unit:"


@dataclass(frozen=True)
class Broken:
    """The first error of each file that does not compile, in code and in tests.

    What lies in no file is that of a unit's directory. `in_tests` counts the errors in all files of
    tests, those among them of which only methods are left out.
    """

    code: Mapping[str, str]
    tests: Mapping[str, str]
    in_tests: int

    @property
    def extent(self) -> tuple[int, ...]:
        """How much that is: code before tests, and what is wrong as a whole before files."""
        return *_counts(self.code), *_counts(self.tests), self.in_tests


def broken(compiled: Path) -> Broken:
    """What does not compile, by the compiler's report in a directory."""
    report = _read(compiled / "report.json")
    places = tuple(root for unit in report["units"] if unit["test"] for root in _places(unit))
    files = report["broken"]
    tests = {path: text for path, text in files.items() if path.startswith(places)}
    code = {path: text for path, text in files.items() if path not in tests}
    errors = [found for path, found in report["errors"].items() if path.startswith(places)]
    return Broken(code, tests, sum(map(len, errors)))


def _counts(errors: Mapping[str, str]) -> tuple[int, int]:
    return sum(path.endswith("/") for path in errors), len(errors)


def nothing_compiles(compiled: Path, tree: Path) -> str:
    """The first error of all code, or of all tests, where no file of theirs compiles; else ""."""
    errors = _read(compiled / "report.json")["broken"]
    for test in (False, True):
        units = [u for u in _read(compiled / "project.json")["units"] if u["test"] is test]
        files = [file.relative_to(tree).as_posix() for file in _sources(units, tree)]
        directories = (f"{unit['roots'][0]}/" for unit in units if unit["roots"])
        wholes = [errors[each] for each in directories if each in errors]
        if files and (wholes or all(file in errors for file in files)):
            return str(wholes[0] if wholes else errors[files[0]])
    return ""


def leave_out_modules(compiled: Path, tree: Path) -> bool:
    """Leave out modules of which code does not compile, and those that need such a one.

    Whether any sources are left.
    """
    project = _read(compiled / "project.json")
    errors, reasons = broken(compiled).code, dict[str, str]()
    for unit in project["units"]:
        needed = (entry.removeprefix(_UNIT) for entry in unit["classpath"])
        found = (unit.get("left_out"), _error(unit, errors), *map(reasons.get, needed))
        if reason := next(filter(None, found), None):
            unit["left_out"] = reasons[unit["name"]] = reason
    (compiled / "project.json").write_text(json.dumps(project), encoding="utf-8")
    rest = [unit for unit in project["units"] if unit["name"] not in reasons]
    return any(_sources(rest, tree))


def uncompiled(compiled: Path) -> tuple[Uncompiled, ...]:
    """Modules, and files of other modules, that are left out."""
    units = [unit for unit in _read(compiled / "project.json")["units"] if unit.get("left_out")]
    modules = {unit["directory"] or ".": unit["left_out"] for unit in units}
    within = tuple(place for unit in units for place in _places(unit))
    files = {
        path: text for path, text in broken(compiled).code.items() if not path.startswith(within)
    }
    return tuple(Uncompiled(*item) for item in (modules | files).items())


def _error(unit: Mapping[str, Any], errors: Mapping[str, str]) -> str:
    """The first error in the code of a unit, "" without any."""
    places = () if unit["test"] else _places(unit)
    return next((text for path, text in errors.items() if path.startswith(places)), "")


def _places(unit: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"{root}/" if root else "" for root in unit["roots"])


def _sources(units: Sequence[Mapping[str, Any]], tree: Path) -> Iterator[Path]:
    for unit in units:
        for root in unit["roots"]:
            yield from (tree / root).rglob("*.java")


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))
