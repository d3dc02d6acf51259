"""What a project's automation (tox, nox, hatch) installs for its tests, read without running it."""

from __future__ import annotations

import configparser
import dataclasses
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from evaluator.languages.python.environment.project import (
    own_extras,
    requirement_lines,
)
from evaluator.languages.python.environment.static import called_with, functions, parse
from evaluator.languages.python.environment.tables import load_pyproject, load_toml

_FACTOR = re.compile(r"[\w!{},.-]+:\s")
"""What makes a line of tox hold for some environments only."""
_REFERENCE = re.compile(r"\{\[([^\]]+)\](\w+)\}")
_DEEPEST_REFERENCE = 5
_MEANT = {"{toxinidir}": ".", "{tox_root}": ".", "{/}": "/", "{:}": ":"}
"""https://tox.wiki/en/latest/config.html#substitutions"""
_TEST_ENVIRONMENT = re.compile(r"(hatch-)?tests?|py\.?test|unit|default")
_RUNS = ("run", "run_install", "run_always")
"""What runs a program in a session of nox."""
_TEST_SESSION = re.compile(r"test|unit")


@dataclass(frozen=True)
class Installed:
    """What is installed beside the project: its extras and groups, files, and packages (PEP 508).

    `settings` are environment variables that are set for the tests.
    """

    extras: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    settings: Mapping[str, str] | None = None

    def __bool__(self) -> bool:
        """Whether it is anything."""
        return bool(self.extras or self.files or self.packages)


def installed_for_tests(tree: Path) -> Installed:
    """What tox installs for the tests, else what nox does, else hatch.

    Extras may be named that the project does not have, and files that are absent.
    """
    return tox(tree) or nox(tree) or hatch(tree)


def tox(tree: Path) -> Installed:
    """Dependencies and extras of `[testenv]`; lines for some factors only are left out.

    https://tox.wiki/en/latest/config.html
    """
    section = _ini_section(tree)
    if not section:
        return _native_tox(tree)
    extras = (*_always(section, "extras"), *_always(section, "dependency_groups"))
    found = _of_lines(_always(section, "deps"), _names("\n".join(extras)))
    return Installed(found.extras, found.files, found.packages, _settings(section))


def _always(section: Mapping[str, str], key: str) -> list[str]:
    """The lines of a value that hold for every environment."""
    lines = (line.strip() for line in section.get(key, "").splitlines())
    return [line for line in lines if not _FACTOR.match(line)]


def for_some_environments(tree: Path) -> tuple[str, ...]:
    """The packages (PEP 508) that tox installs in some environments only."""
    lines = (line.strip() for line in _ini_section(tree).get("deps", "").splitlines())
    return requirement_lines(
        _FACTOR.sub("", line, count=1) for line in lines if _FACTOR.match(line)
    )


def _ini_section(tree: Path) -> Mapping[str, str]:
    """`[testenv]` with the sections that it refers to put in, empty where there is none."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    legacy = load_pyproject(tree).get("tool", {}).get("tox", {}).get("legacy_tox_ini", "")
    try:
        parser.read([tree / "setup.cfg", tree / "tox.ini"], encoding="utf-8")
        parser.read_string(legacy)
    except (configparser.Error, UnicodeDecodeError):
        return {}
    if not parser.has_section("testenv"):
        return {}
    return {key: _opened(value, parser) for key, value in parser["testenv"].items()}


def _opened(value: str, parser: configparser.ConfigParser) -> str:
    """A value with `{[section]key}` replaced by what stands there."""
    for _ in range(_DEEPEST_REFERENCE):
        value = "\n".join(_opened_line(line, parser) for line in value.splitlines())
    return value


def _opened_line(line: str, parser: configparser.ConfigParser) -> str:
    """All lines that stand for one that holds for some environments hold for these."""
    factor = _FACTOR.match(line.strip())

    def referred(match: re.Match[str]) -> str:
        stands = parser.get(match[1], match[2], fallback="").split("\n")
        return f"\n{factor[0]}".join(stands) if factor else "\n".join(stands)

    return _REFERENCE.sub(referred, line)


def _native_tox(tree: Path) -> Installed:
    """The same of tox.toml, or of `[tool.tox]` of pyproject.toml."""
    table = load_toml(tree / "tox.toml") or load_pyproject(tree).get("tool", {}).get("tox", {})
    base = table.get("env_run_base", {})
    named = [*_texts(base.get("extras")), *_texts(base.get("dependency_groups"))]
    return _of_lines(_texts(base.get("deps")), named)


def _settings(section: Mapping[str, str]) -> dict[str, str]:
    lines = section.get("setenv", section.get("set_env", "")).splitlines()
    pairs = (line.partition("=") for line in lines if not _FACTOR.match(line.strip()))
    return {name.strip(): value.strip() for name, equals, value in pairs if equals}


def path_of_tox(tree: Path) -> tuple[str, ...]:
    """The directories of a tree that tox puts on PYTHONPATH and that are no packages themselves."""
    value = (tox(tree).settings or {}).get("PYTHONPATH", "")
    for name, meant in _MEANT.items():
        value = value.replace(name, meant)
    places = (PurePosixPath(place) for place in re.sub(r"\{[^{}]*\}", "", value).split(":"))
    found = (place for place in places if not place.is_absolute() and ".." not in place.parts)
    return tuple(str(p) for p in found if p.parts and is_plain_directory(tree / p))


def is_plain_directory(place: Path) -> bool:
    """Whether modules below a directory are imported without its own name."""
    return place.is_dir() and not (place / "__init__.py").is_file()


def _names(text: str) -> list[str]:
    return [name for name in re.split(r"[\s,]+", text.strip()) if name]


def _texts(values: Any) -> list[str]:
    """The texts of an array; none where something else, such as a reference, stands for it."""
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []


def nox(tree: Path) -> Installed:
    """What `session.install` and `uv sync` give in the sessions that are named after tests.

    Sessions of their own test with other versions: what two want of a package holds for neither.
    """
    file = parse(tree / "noxfile.py")
    sessions = [node for node in functions(file) if _TEST_SESSION.search(node.name)]
    given = [argument for node in sessions for argument in called_with(node, "install")]
    lines = [f"-r {argument}" if argument.endswith(".txt") else argument for argument in given]
    run = [argument for node in sessions for name in _RUNS for argument in called_with(node, name)]
    found = _of_lines(lines, _synced(run, load_pyproject(tree)))
    return dataclasses.replace(found, packages=tuple(_in_any_version(found.packages)))


def _synced(arguments: Sequence[str], pyproject: Mapping[str, Any]) -> Iterator[str]:
    """The groups and extras that `uv sync` installs.

    https://docs.astral.sh/uv/concepts/projects/dependencies/#default-groups
    """
    if ("uv", "sync") not in itertools.pairwise(arguments):
        return
    usual = pyproject.get("tool", {}).get("uv", {}).get("default-groups", ["dev"])
    everything = usual == "all" or "--all-groups" in arguments
    yield from pyproject.get("dependency-groups", {}) if everything else _texts(usual)
    if "--all-extras" in arguments:
        yield from pyproject.get("project", {}).get("optional-dependencies", {})
    for option, name in itertools.pairwise([*" ".join(arguments).replace("=", " ").split(), ""]):
        if option in ("--group", "--extra"):
            yield name


def _in_any_version(packages: Sequence[str]) -> Iterator[str]:
    """The packages, without bounds those that are named with several."""
    wanted = list(map(Requirement, packages))
    bounds: dict[str, set[SpecifierSet]] = {}
    for each in wanted:
        bounds.setdefault(canonicalize_name(each.name), set()).add(each.specifier)
    for each in wanted:
        if len(bounds[canonicalize_name(each.name)]) > 1:
            each.specifier = SpecifierSet()
        yield str(each)


def hatch(tree: Path) -> Installed:
    """Dependencies and features of the environment `default` and of those named after tests.

    https://hatch.pypa.io/latest/config/environment/overview/
    """
    own = load_pyproject(tree).get("tool", {}).get("hatch", {}).get("envs", {})
    environments = {**own, **load_toml(tree / "hatch.toml").get("envs", {})}
    chosen = [
        table
        for name, table in environments.items()
        if _TEST_ENVIRONMENT.fullmatch(name) and isinstance(table, dict)
    ]
    keys = ("dependencies", "extra-dependencies")
    lines = [line for table in chosen for key in keys for line in table.get(key, [])]
    features = [name for table in chosen for name in table.get("features", [])]
    return _of_lines(_texts(lines), _texts(features))


def _of_lines(lines: Iterable[str], extras: Iterable[str]) -> Installed:
    """Lines as pip takes them, and extras that are named beside them."""
    plain = [line.replace("{toxinidir}/", "").replace("{toxinidir}", ".") for line in lines]
    own = [name for line in plain for name in own_extras(line)]
    return Installed((*extras, *own), tuple(_files(plain)), requirement_lines(plain))


def _files(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if match := re.match(r"(?:-r|--requirement)[\s=]*(\S+)", line):
            yield match[1].removeprefix("./")
