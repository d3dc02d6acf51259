"""What a project's own files say about it, read without running any of its code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from evaluator.languages.python.environment import described, pbr, pipfile, poetry
from evaluator.languages.python.environment.setup_cfg import (
    Sections,
    lines_by_name,
    lines_of,
    read_sections,
    stated,
)
from evaluator.languages.python.environment.static import assignments, parse, setup_arguments
from evaluator.languages.python.environment.tables import load_pyproject, load_toml

VERSION_FILES = (
    "__init__.py",
    "_version.py",
    "version.py",
    "__version__.py",
    "__about__.py",
    "__pkginfo__.py",
    "release.py",
)

UNTOLD_BUILD_REQUIRES = ("setuptools", "wheel", "cython")


def requirement_name(requirement: str) -> str:
    """The name of the package that a requirement (PEP 508) asks for, as names are compared."""
    return canonicalize_name(Requirement(requirement).name)


@dataclass(frozen=True)
class Project:
    """A project as its files describe it; what they do not say is empty.

    `extras` are optional dependencies and dependency groups by name; `entry_points` maps a group
    to lines `name = module:object`; `source_root` is the directory that goes on sys.path, and so do
    `more_roots`; `fields` are what its metadata says of it beside (see `described`).
    `build_requires` are PEP 518's, or what builds had before there was a place for them, and
    setuptools' `setup_requires`, which a build without a network would look for in vain.
    """

    name: str = ""
    version: str = ""
    requires_python: str = ""
    dependencies: tuple[str, ...] = ()
    extras: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    entry_points: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    classifiers: tuple[str, ...] = ()
    build_requires: tuple[str, ...] = ()
    source_root: str = ""
    more_roots: tuple[str, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def is_for_python_2(self) -> bool:
        """Whether its classifiers name versions of Python, and all of them are 2."""
        beginning = "Programming Language :: Python :: "
        named = {
            line.strip().removeprefix(beginning)[:1]
            for line in self.classifiers
            if beginning in line
        }
        return named & {"2", "3"} == {"2"}

    def with_extras(self, names: Iterable[str]) -> tuple[str, ...]:
        """The dependencies of these extras and groups, references to the project itself opened."""
        found: list[str] = []
        for name in dict.fromkeys(names):
            for line in self.extras.get(name, ()):
                nested = self._own_extras(line)
                found += self.with_extras(nested - {name}) if nested else [line]
        return tuple(dict.fromkeys(found))

    def _own_extras(self, line: str) -> set[str]:
        requirement = Requirement(line)
        own = canonicalize_name(requirement.name) == canonicalize_name(self.name or "-")
        return requirement.extras if own else set()


def read_project(tree: Path) -> Project:
    """What pyproject.toml, setup.cfg and setup.py of a tree say, in this order of precedence.

    Raises InputError where pyproject.toml is not valid TOML, or a value is of another kind.
    """
    pyproject = load_pyproject(tree)
    sections, arguments = read_sections(tree), setup_arguments(tree / "setup.py")
    descriptions = [
        _standard(pyproject, tree),
        poetry.describe(pyproject),
        _setup_cfg(sections, tree),
        _setup_py(arguments),
        _pbr(sections, arguments, pyproject, tree),
        pipfile.describe(load_toml(tree / "Pipfile")),
    ]
    merged: dict[str, Any] = {}
    for description in descriptions:
        for key, value in description.items():
            merged[key] = _merge(merged.get(key), value)
    return _project(merged, pyproject, tree)


def is_virtual(tree: Path) -> bool:
    """Whether uv installs the dependencies of a project, and not the project: it is no package.

    https://docs.astral.sh/uv/concepts/projects/config/#project-packaging. Raises InputError.
    """
    pyproject = load_pyproject(tree)
    package = pyproject.get("tool", {}).get("uv", {}).get("package")
    described = "project" in pyproject and not (tree / "setup.py").is_file()
    return described and not (package or (package is None and "build-system" in pyproject))


_OWN = re.compile(r"(?:(?:-e|--editable)[\s=]*)?\./?(?:\[([\w,\s.-]+)\])?")


def is_own(line: str) -> bool:
    """Whether a line for pip names the project itself: `.`, `-e .[test]`."""
    return _OWN.fullmatch(line.strip()) is not None


def own_extras(line: str) -> tuple[str, ...]:
    """The extras in a line for pip that names the project itself: `-e .[test]`."""
    match = _OWN.fullmatch(line.strip())
    names = (match[1] or "").split(",") if match else []
    return tuple(name.strip() for name in names if name.strip())


_LOCAL = re.compile(
    r"(?:(?:-e|--editable)[\s=]*)?(\./[^\[;#\s]+)"
    r"|(?:-e|--editable)[\s=]*(\w[^\[:;#\s]*)(?![^\[;#\s])"
)


def local_directory(line: str) -> str:
    """What a line for pip names below the project: `./tests/sample`, `-e sample`; "" if nothing."""
    found = _LOCAL.match(line.strip())
    return str(PurePosixPath(found[1] or found[2])) if found else ""


def requirement_lines(lines: Iterable[object]) -> tuple[str, ...]:
    """Those items that are requirements of released packages (PEP 508), without comments.

    Paths, options and direct references (`name @ URL`) are left out: only releases of the index
    are installed, and nothing is fetched from where a tree says.
    """
    found: list[str] = []
    for line in lines:
        text = re.sub(r"(^|\s)#.*", "", str(line)).strip()
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        if not requirement.url:
            found.append(text)
    return tuple(found)


def _released(line: object) -> str:
    """A dependency that is taken from a repository's history becomes its released package."""
    text = str(line)
    match = re.match(r"\s*([\w.-]+(?:\[[^\]]*\])?)\s*@\s*(?:git|hg|svn|bzr)\+[^\s;]+(.*)", text)
    return f"{match[1]}{match[2]}" if match else text


def _merge(first: Any, second: Any) -> Any:
    if isinstance(first, dict) and isinstance(second, dict):
        return {**second, **first}
    return first or second


def _project(merged: dict[str, Any], pyproject: Mapping[str, Any], tree: Path) -> Project:
    name = merged.get("name", "")
    root = merged.get("source_root") or _source_root(tree, name)
    build = pyproject.get("build-system", {}).get("requires", UNTOLD_BUILD_REQUIRES)
    version = merged.get("version") or _module_version(tree / root, name)
    extras = {key: requirement_lines(lines) for key, lines in merged.get("extras", {}).items()}
    return Project(
        name=name,
        version=version if isinstance(version, str) else "",
        requires_python=merged.get("requires_python", ""),
        dependencies=requirement_lines(map(_released, merged.get("dependencies", ()))),
        extras=extras,
        entry_points=merged.get("entry_points", {}),
        classifiers=tuple(merged.get("classifiers", ())),
        build_requires=requirement_lines((*build, *merged.get("setup_requires", ()))),
        source_root=root,
        more_roots=tuple(each for each in merged.get("more_roots", ()) if each != root),
        fields=merged.get("fields", {}),
    )


def _standard(pyproject: Mapping[str, Any], tree: Path) -> dict[str, Any]:
    """The `[project]` table (PEP 621), `[dependency-groups]` (PEP 735) and setuptools' own."""
    table = pyproject.get("project", {})
    tools = pyproject.get("tool", {})
    setuptools = tools.get("setuptools", {})
    dynamic = setuptools.get("dynamic", {})
    points = {"console_scripts": table.get("scripts", {}), **table.get("entry-points", {})}
    return {
        "name": table.get("name", ""),
        "version": table.get("version", ""),
        "requires_python": table.get("requires-python", ""),
        "dependencies": table.get("dependencies") or _files(dynamic.get("dependencies", {}), tree),
        "extras": _groups(pyproject) | table.get("optional-dependencies", {}),
        "entry_points": {
            group: tuple(f"{name} = {target}" for name, target in lines.items())
            for group, lines in points.items()
            if lines
        },
        "classifiers": table.get("classifiers", ()),
        "fields": described.by_standard(table),
        "source_root": _configured_root(setuptools, tools.get("hatch", {})),
        "more_roots": _more_roots(setuptools),
    }


def _groups(pyproject: Mapping[str, Any]) -> dict[str, Any]:
    """Dependency groups with `include-group` opened, one level at a time up to the tenth."""
    groups: dict[str, list[Any]] = dict(pyproject.get("dependency-groups", {}))
    tools = pyproject.get("tool", {})
    for tool in ("pdm", "uv"):
        older = tools.get(tool, {}).get("dev-dependencies", {})
        groups = (older if isinstance(older, dict) else {"dev": older}) | groups
    for _ in range(10):
        groups = {name: _opened(items, groups) for name, items in groups.items()}
    return groups


def _opened(items: list[Any], groups: Mapping[str, list[Any]]) -> list[Any]:
    opened: list[Any] = []
    for item in items:
        included = item.get("include-group") if isinstance(item, dict) else None
        opened += groups.get(included, []) if included else [item]
    return list({str(item): item for item in opened}.values())


def _files(reference: Any, tree: Path) -> list[str]:
    files = reference.get("file", []) if isinstance(reference, dict) else []
    paths = [tree / name for name in ([files] if isinstance(files, str) else files)]
    inside = [path for path in paths if path.resolve().is_relative_to(tree.resolve())]
    texts = (
        path.read_text(encoding="utf-8", errors="replace") for path in inside if path.is_file()
    )
    return [line for text in texts for line in text.splitlines()]


def _more_roots(setuptools: Mapping[str, Any]) -> Sequence[str]:
    """Directories, after the first, in which packages are looked for, and those of single ones.

    See https://setuptools.pypa.io/en/latest/userguide/pyproject_config.html.
    """
    placed = setuptools.get("package-dir", {}).items()
    paths = [(name.replace(".", "/"), directory) for name, directory in placed if name]
    beside = [place.removesuffix(path) for path, place in paths if place.endswith(f"/{path}")]
    found = [*_searched(setuptools)[1:], *beside]
    return list(dict.fromkeys(each.strip("./") for each in found))


def _searched(setuptools: Mapping[str, Any]) -> Sequence[str]:
    """The directories in which packages are looked for."""
    packages = setuptools.get("packages", {})
    found: list[str] = (
        packages.get("find", {}).get("where", []) if isinstance(packages, dict) else []
    )
    return found


def _configured_root(setuptools: Mapping[str, Any], hatch: Mapping[str, Any]) -> str:
    where = _searched(setuptools)
    named = setuptools.get("package-dir", {}).get("", "") or (where[0] if where else "")
    wheel = hatch.get("build", {}).get("targets", {}).get("wheel", {}).get("packages", [])
    parents = [package.rpartition("/")[0] for package in wheel]
    return str(named or (parents[0] if parents else "")).strip("./")


def _setup_cfg(sections: Sections, tree: Path) -> dict[str, Any]:
    metadata, options = sections.get("metadata", {}), sections.get("options", {})
    where = sections.get("options.packages.find", {}).get("where", "")
    return {
        "name": metadata.get("name", ""),
        "version": stated(metadata.get("version", "")),
        "requires_python": options.get("python_requires", ""),
        "dependencies": _lines_or_file(options.get("install_requires", ""), tree),
        "setup_requires": lines_of(options.get("setup_requires", "")),
        "extras": lines_by_name(sections.get("options.extras_require", {})),
        "entry_points": lines_by_name(sections.get("options.entry_points", {})),
        "classifiers": lines_of(metadata.get("classifiers", "")),
        "fields": described.by_setuptools(metadata),
        "source_root": _package_directory(options.get("package_dir", "")) or where.strip(),
    }


def _pbr(
    sections: Sections, arguments: Mapping[str, Any], pyproject: Mapping[str, Any], tree: Path
) -> dict[str, Any]:
    """What pbr reads in setup.cfg and beside it, empty where the project is not built by it."""
    build = requirement_lines(pyproject.get("build-system", {}).get("requires", ()))
    if not pbr.builds(arguments, build):
        return {}
    return pbr.describe(sections) | {"dependencies": _files({"file": pbr.DEPENDENCIES}, tree)}


def _lines_or_file(value: str, tree: Path) -> list[str]:
    if value.strip().startswith("file:"):
        return _files({"file": re.split(r"[,\s]+", value.strip()[5:].strip())}, tree)
    return value.splitlines()


def _package_directory(value: str) -> str:
    for line in value.splitlines():
        package, equals, directory = line.partition("=")
        if equals and not package.strip():
            return directory.strip()
    return ""


def _setup_py(arguments: Mapping[str, Any]) -> dict[str, Any]:
    extras = {key: _list(lines) for key, lines in _table(arguments, "extras_require").items()}
    if tests := _list(arguments.get("tests_require")):
        extras["test"] = [*extras.get("test", []), *tests]
    points = _table(arguments, "entry_points")
    return {
        "name": _text(arguments.get("name")),
        "version": _text(arguments.get("version")),
        "requires_python": _text(arguments.get("python_requires")),
        "dependencies": _list(arguments.get("install_requires")),
        "setup_requires": _list(arguments.get("setup_requires")),
        "extras": extras,
        "entry_points": {group: tuple(_list(lines)) for group, lines in points.items()},
        "classifiers": _list(arguments.get("classifiers")),
        "fields": described.by_setuptools(arguments),
        "source_root": _text(_table(arguments, "package_dir").get("")),
    }


def _table(arguments: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = arguments.get(name)
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _list(value: Any) -> list[str]:
    lines = value.splitlines() if isinstance(value, str) else value
    return [str(line) for line in lines] if isinstance(lines, list) else []


def _source_root(tree: Path, name: str) -> str:
    package = canonicalize_name(name).replace("-", "_")
    if package and ((tree / package).is_dir() or (tree / f"{package}.py").is_file()):
        return ""
    sources = tree / "src"
    # A package may be a namespace, whose directory has no __init__.py.
    return "src" if any(sources.glob("*.py")) or any(sources.glob("*/*.py")) else ""


def _module_version(root: Path, name: str) -> str:
    package = root / canonicalize_name(name).replace("-", "_") if name else root
    for path in [*(package / file for file in VERSION_FILES), package.with_suffix(".py")]:
        names = assignments(parse(path)) if path.is_file() else {}
        for variable in ("__version__", "version", "VERSION"):
            if isinstance(names.get(variable), str):
                return str(names[variable])
    return ""
