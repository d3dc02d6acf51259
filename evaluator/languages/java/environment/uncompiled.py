"""What of a project its environment does without, since it does not compile here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluator.environment.types import Uncompiled

_UNIT = "unit:"


def broken_code(compiled: Path) -> Mapping[str, str]:
    """The first error of each file that does not compile, but for tests.

    `compiled` holds the compiler's report. What lies in no file is that of a unit's directory.
    """
    report = _read(compiled / "report.json")
    tests = tuple(root for unit in report["units"] if unit["test"] for root in _places(unit))
    return {path: text for path, text in report["broken"].items() if not path.startswith(tests)}


def nothing_compiles(compiled: Path, tree: Path) -> str:
    """The first error of all code, or of all tests, where no file of theirs compiles; else ""."""
    broken = _read(compiled / "report.json")["broken"]
    for test in (False, True):
        units = [u for u in _read(compiled / "project.json")["units"] if u["test"] is test]
        files = [file.relative_to(tree).as_posix() for file in _sources(units, tree)]
        directories = (f"{unit['roots'][0]}/" for unit in units if unit["roots"])
        wholes = [broken[each] for each in directories if each in broken]
        if files and (wholes or all(file in broken for file in files)):
            return str(wholes[0] if wholes else broken[files[0]])
    return ""


def leave_out_modules(compiled: Path, tree: Path) -> bool:
    """Leave out modules of which code does not compile, and those that need such a one.

    Whether any sources are left.
    """
    project = _read(compiled / "project.json")
    errors, reasons = broken_code(compiled), dict[str, str]()
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
        path: text for path, text in broken_code(compiled).items() if not path.startswith(within)
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
