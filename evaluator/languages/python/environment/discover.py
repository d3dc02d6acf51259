"""Finds out from a project's own files how it is installed and tested."""

from __future__ import annotations

import configparser
import dataclasses
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name

from evaluator.environment.configuration import read_configuration
from evaluator.languages.python.environment.project import (
    Project,
    load_pyproject,
    read_project,
    requirement_lines,
)
from evaluator.languages.python.environment.requirements import TOML_LOCKS
from evaluator.languages.python.environment.static import (
    called,
    called_with,
    functions,
    imported,
    parse,
)
from evaluator.languages.python.environment.types import PythonRecipe

Found = tuple[list[str], list[str], tuple[str, ...]]


def tox_and_nox(tree: Path, extras: Collection[str]) -> Found:
    """Extras, requirement files and packages; tox.ini wins over noxfile.py.

    `extras` are those that the project has: others are left out.
    """
    lines, wanted = _tox(tree / "tox.ini")
    if not lines and not wanted:
        lines, wanted = _nox(tree / "noxfile.py")
    files = [file for file in _files(lines) if (tree / file).is_file()]
    return [extra for extra in wanted if extra in extras], files, requirement_lines(lines)


def _tox(path: Path) -> tuple[list[str], list[str]]:
    """Dependencies and extras of `[testenv]`; lines for some factors only are left out."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read(path, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return [], []
    section = dict(parser["testenv"]) if parser.has_section("testenv") else {}
    lines = [line.strip() for line in section.get("deps", "").splitlines()]
    plain = [line for line in lines if line and not re.match(r"[\w!{},.-]+:\s", line)]
    extras = re.split(r"[\s,]+", section.get("extras", "").strip())
    return [line.replace("{toxinidir}/", "") for line in plain], [e for e in extras if e]


def _nox(path: Path) -> tuple[list[str], list[str]]:
    """What `session.install` gets in the sessions that are named after tests."""
    sessions = [node for node in functions(parse(path)) if re.search(r"test|unit", node.name)]
    lines: list[str] = []
    for session in sessions:
        arguments = called_with(session, "install")
        lines += [f"-r {arg}" if arg.endswith(".txt") else arg for arg in arguments]
    extras = [name for line in lines for name in _own_extras(line)]
    return lines, extras


def _own_extras(line: str) -> list[str]:
    match = re.fullmatch(r"\.\[([\w,\s-]+)\]", line)
    return [name.strip() for name in match[1].split(",")] if match else []


def _files(lines: Iterable[str]) -> list[str]:
    matches = (re.match(r"(?:-r|--requirement)[\s=]*(\S+)", line) for line in lines)
    return [match[1] for match in matches if match]


PYTHONS = tuple(f"3.{minor}" for minor in range(13, 5, -1))
USUAL = "3.11"
TEST_NAMES = ("test", "tests", "testing", "unittest", "unit-tests", "pytest", "unit")
DEVELOPMENT_NAMES = ("dev", "develop", "development", "ci", "all")
LOCKS = (*TOML_LOCKS, "Pipfile.lock")
COMPILING_BACKENDS = {"meson-python", "scikit-build", "scikit-build-core", "maturin"}
COMPILING_BACKENDS |= {"setuptools-rust", "extension-helpers"}
EXTENSION_CALLS = {"Extension", "cythonize", "get_extensions", "RustExtension"}
SAMPLED_TEST_FILES = 50


def discover_recipe(tree: Path) -> PythonRecipe:
    """A recipe for a project that fixgate does not know, from its files alone.

    What `.github/fixgate.yml` sets is taken as it is; everything else is found: Python versions,
    dependencies and those of its tests, framework, import roots. No code of the project runs.
    Raises InputError where a file that must be read is broken.
    """
    given = read_configuration(tree, "python")
    project = read_project(tree)
    extras, files, more = _test_requirements(tree, project)
    packages = (*project.dependencies, *project.with_extras(extras), *more)
    framework = given.get("framework") or _framework(tree, packages)
    recipe = PythonRecipe(
        python=_python_versions(project),
        framework=framework,
        packages=_with_framework(packages, framework),
        requirement_files=(*files, *(name for name in LOCKS if (tree / name).is_file())),
        install=_install(tree, project),
        import_roots=(project.source_root,),
        source=_source(tree, given),
    )
    return dataclasses.replace(recipe, **given)


def _source(tree: Path, given: Mapping[str, Any]) -> str:
    names = ("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "noxfile.py")
    read = [name for name in names if (tree / name).is_file()]
    return ", ".join([".github/fixgate.yml"] * bool(given) + read) or "the tree"


def _python_versions(project: Project) -> tuple[str, ...]:
    """Versions that the project allows: those nearest to the newest that it was tested with."""
    pattern = r"Programming Language :: Python :: (3\.\d+)$"
    declared = {m[1] for line in project.classifiers if (m := re.match(pattern, line.strip()))}
    newest = max(declared & set(PYTHONS), key=_minor, default=USUAL)
    nearest = sorted(PYTHONS, key=lambda v: (v not in declared, abs(_minor(v) - _minor(newest))))
    allowed = _specifier(project.requires_python)
    return tuple(v for v in nearest if f"{v}.99" in allowed or f"{v}.0" in allowed) or PYTHONS


def _minor(version: str) -> int:
    return int(version.partition(".")[2])


def _specifier(text: str) -> SpecifierSet:
    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        return SpecifierSet()


def _test_requirements(
    tree: Path, project: Project
) -> tuple[list[str], list[str], tuple[str, ...]]:
    """Extras, requirement files and single packages that the tests need.

    What is named after tests is preferred to what tox or nox install for them, and that to what
    is named after development, which also brings linters and documentation tools.
    """
    files = list(_requirement_files(tree))
    base = [] if project.dependencies else _named(files, ("", "base", "main", "common", "install"))
    extras, tests = _chosen(project.extras, TEST_NAMES), _named(files, TEST_NAMES)
    if extras or tests:
        return extras, [*base, *tests], ()
    extras, tests, packages = tox_and_nox(tree, project.extras)
    if extras or tests or packages:
        return extras, [*base, *tests], packages
    chosen = _chosen(project.extras, DEVELOPMENT_NAMES[:3])
    return chosen, [*base, *_named(files, DEVELOPMENT_NAMES)], ()


def _chosen(extras: Iterable[str], names: tuple[str, ...]) -> list[str]:
    return [extra for extra in extras if canonicalize_name(extra) in names]


def _requirement_files(tree: Path) -> Iterator[str]:
    patterns = (
        "*requirements*.txt",
        "requirements/*.txt",
        "*requirements*.in",
        "requirements/*.in",
    )
    for pattern in patterns:
        for path in sorted(tree.glob(pattern)):
            compiled = path.suffix == ".in" and path.with_suffix(".txt").is_file()
            if path.is_file() and not compiled:
                yield str(path.relative_to(tree))


def _named(files: Iterable[str], names: tuple[str, ...]) -> list[str]:
    """Those files whose name, less the word `requirements`, is one of the names."""
    return [file for file in files if _purpose(file) in names]


def _purpose(file: str) -> str:
    return re.sub(r"[-_.]*(requirements|reqs|txt$|in$)[-_.]*", "", Path(file).name)


def _framework(tree: Path, packages: Iterable[str]) -> str:
    """The framework that the project runs its tests with; pytest runs most suites anyway."""
    if _uses_pytest(tree, packages):
        return "pytest"
    if (tree / "manage.py").is_file():
        return "django"
    modules = _imported_by_tests(tree)
    return "unittest" if "unittest" in modules and "pytest" not in modules else "pytest"


def _uses_pytest(tree: Path, packages: Iterable[str]) -> bool:
    if any(canonicalize_name(Requirement(p).name).startswith("pytest") for p in packages):
        return True
    if "pytest" in load_pyproject(tree).get("tool", {}):
        return True
    if any((tree / name).is_file() for name in ("pytest.ini", "conftest.py", "tests/conftest.py")):
        return True
    sections = (("tox.ini", "[pytest]"), ("setup.cfg", "[tool:pytest]"))
    return any(_contains(tree / file, section) for file, section in sections)


def _contains(path: Path, text: str) -> bool:
    return path.is_file() and text in path.read_text(encoding="utf-8", errors="replace")


def _imported_by_tests(tree: Path) -> set[str]:
    """Top-level names that a sample of the test files imports."""
    patterns = ("test_*.py", "tests.py", "*_test.py")
    tests = sorted({path for pattern in patterns for path in tree.rglob(pattern)})
    return {name for path in tests[:SAMPLED_TEST_FILES] for name in imported(parse(path))}


def _with_framework(packages: Iterable[str], framework: str) -> tuple[str, ...]:
    present = {canonicalize_name(Requirement(package).name) for package in packages}
    missing = ["pytest"] if framework == "pytest" and "pytest" not in present else []
    return tuple(dict.fromkeys([*packages, *missing]))


def _install(tree: Path, project: Project) -> str:
    """`wheel` where the project has compiled modules of its own, else `metadata`."""
    if not project.name and not (tree / "setup.py").is_file():
        return ""
    backends = {canonicalize_name(Requirement(line).name) for line in project.build_requires}
    if backends & COMPILING_BACKENDS or _builds_extensions(tree):
        return "wheel"
    return "metadata"


def _builds_extensions(tree: Path) -> bool:
    """Whether setup.py, or a module beside it that it takes them from, defines extensions."""
    names = ("setup.py", "setupext.py", "extensions.py")
    calls = (called(parse(tree / name)) for name in names)
    return any(found & EXTENSION_CALLS for found in calls)
