"""Requirement files of a tree, read without pip: what to install and what only to constrain."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from evaluator.errors import InputError
from evaluator.languages.python.environment.project import (
    Project,
    is_own,
    local_directory,
    own_extras,
    read_project,
    requirement_lines,
    requirement_name,
)

PROJECT_FILES = ("pyproject.toml", "setup.cfg", "setup.py")
TOML_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock")
LOCKS = (*TOML_LOCKS, "Pipfile.lock")
DEEPEST_INCLUDE = 10
_OLDEST_MINOR = 6
"""Of Python 3, the first that runs tests here."""


def read_requirement_files(
    tree: Path, names: Iterable[str], beside: Iterable[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Requirements and constraints (PEP 508) that the named files of a tree hold.

    A name is a requirements file; a lock file, whose pins only constrain what is wanted anyway;
    or one of the project's own files, with extras and groups in brackets: `setup.py[test]` stands
    for the project's dependencies and those of its extra `test`. A pin that a requirement rules
    out, of these or `beside` them, is left out: the lock file was made before what asks for more.
    Of several lock files, the first one counts for what two of them have.
    Raises InputError where a file is absent or cannot be read.
    """
    requirements: list[str] = []
    constraints: list[str] = []
    pins: dict[str, str] = {}
    for name in names:
        file, extras = _split(name)
        if not (tree / file).is_file():
            raise InputError(f"requirement file {file} is not in the tree; correct the recipe")
        if Path(file).name in PROJECT_FILES:
            requirements += _of_project(read_project((tree / file).parent), extras, name)
        elif Path(file).name in LOCKS:
            pins = {requirement_name(pin): pin for pin in _locked(tree / file)} | pins
        else:
            for line, constrains in _lines(tree, tree / file, DEEPEST_INCLUDE):
                (constraints if constrains else requirements).extend(_of_line(line, tree))
    constraints += _allowed(pins.values(), [*requirements, *requirement_lines(beside)])
    return tuple(dict.fromkeys(requirements)), tuple(dict.fromkeys(constraints))


def _allowed(pins: Iterable[str], requirements: Iterable[str]) -> Iterator[str]:
    """Those pins that no requirement rules out; one with a marker may not hold here."""
    asked: dict[str, SpecifierSet] = {}
    for each in map(Requirement, requirements):
        if each.marker is None or _holds_anyway(each.marker):
            name = canonicalize_name(each.name)
            asked[name] = asked.get(name, SpecifierSet()) & each.specifier
    for pin in pins:
        pinned = Requirement(pin)
        version = next(iter(pinned.specifier)).version
        if asked.get(canonicalize_name(pinned.name), SpecifierSet()).contains(version, True):
            yield pin


def _holds_anyway(marker: Marker) -> bool:
    """Whether a marker holds for each Python that there is for tests."""
    versions = (f"3.{minor}" for minor in range(_OLDEST_MINOR, sys.version_info.minor + 1))
    return all(
        marker.evaluate({"python_version": each, "python_full_version": f"{each}.0", "extra": ""})
        for each in versions
    )


def _split(name: str) -> tuple[str, list[str]]:
    match = re.fullmatch(r"([^\[\]]+)(?:\[([^\[\]]*)\])?", name)
    if match is None:
        raise InputError(f"requirement file `{name}`: write a path, or a path and [extras]")
    file, extras = match.groups()
    return file, [extra.strip() for extra in (extras or "").split(",") if extra.strip()]


def _of_project(project: Project, extras: list[str], name: str) -> tuple[str, ...]:
    unknown = [extra for extra in extras if extra not in project.extras]
    if unknown:
        known = ", ".join(project.extras) or "none"
        raise InputError(f"requirement file `{name}`: no extra {unknown[0]} there; known: {known}")
    return (*project.dependencies, *project.with_extras(extras))


def local_projects(tree: Path, names: Iterable[str]) -> tuple[str, ...]:
    """The directories below a tree with projects that requirements files of it name.

    pip takes a path as one from where it runs, which is the tree.
    """
    files = [tree / name for name in names if Path(name).name not in (*PROJECT_FILES, *LOCKS)]
    lines = (line for file in files for line, _ in _lines(tree, file, DEEPEST_INCLUDE))
    named = dict.fromkeys(map(local_directory, lines))
    return tuple(folder for folder in named if folder and _is_inside(tree / folder, tree))


def _is_inside(folder: Path, tree: Path) -> bool:
    return folder.is_dir() and tree.resolve() in folder.resolve().parents


def _lines(
    tree: Path, file: Path, depth: int, *, constrains: bool = False
) -> Iterator[tuple[str, bool]]:
    """The lines of a requirements file, each with whether it only constrains.

    `-r` and `-c` are followed within the tree.
    """
    if depth == 0 or not file.is_file() or not file.resolve().is_relative_to(tree.resolve()):
        return
    for line in _logical_lines(file):
        match = re.match(r"(-r|-c|--requirement|--constraint)[\s=]*(\S+)", line)
        if match is None:
            yield re.split(r"\s--hash|\s#", line)[0], constrains
            continue
        less = match[1] in ("-c", "--constraint")
        yield from _lines(tree, file.parent / match[2], depth - 1, constrains=less)


def _of_line(line: str, tree: Path) -> tuple[str, ...]:
    """What a line asks for; for the project itself its dependencies and those of its extras."""
    if not is_own(line):
        return requirement_lines([line])
    project = read_project(tree)
    return (*project.dependencies, *project.with_extras(own_extras(line)))


def _logical_lines(file: Path) -> Iterator[str]:
    text = file.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")
    yield from (line.strip() for line in text.splitlines() if line.strip())


def _locked(path: Path) -> tuple[str, ...]:
    """Pins of a lock file; packages that it holds in several versions are left open.

    What stands where names and versions should may be a direct reference: then it is none.
    """
    try:
        text = path.read_text(encoding="utf-8")
        pins = (
            _pipfile(json.loads(text))
            if path.suffix == ".lock" and path.name == "Pipfile.lock"
            else _packages(tomllib.loads(text))
        )
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: not a lock file that can be read: {error}") from error
    count = Counter(name for name, _ in pins)
    return requirement_lines(f"{name}=={version}" for name, version in pins if count[name] == 1)


def _packages(lock: Mapping[str, Any]) -> list[tuple[str, str]]:
    packages = lock.get("package", [])
    return [(entry["name"], entry["version"]) for entry in packages if _from_index(entry)]


def _from_index(entry: Mapping[str, Any]) -> bool:
    source = entry.get("source", {})
    elsewhere = {"git", "directory", "editable", "virtual", "path", "url", "file"}
    return "version" in entry and not elsewhere & {*source, source.get("type", "")}


def _pipfile(lock: Mapping[str, Any]) -> list[tuple[str, str]]:
    entries = {**lock.get("develop", {}), **lock.get("default", {})}
    versions = {name: str(entry.get("version", "")) for name, entry in entries.items()}
    return [(name, pin[2:]) for name, pin in versions.items() if pin.startswith("==")]
