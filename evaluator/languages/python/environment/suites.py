"""How a project's tests are run: by which framework, and with which settings of Django."""

from __future__ import annotations

import configparser
import contextlib
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from evaluator.languages.python.environment.automation import is_plain_directory, tox
from evaluator.languages.python.environment.static import imported, parse, text_of
from evaluator.languages.python.environment.tables import load_pyproject

SETTINGS = "DJANGO_SETTINGS_MODULE"
_SAMPLED_TEST_FILES = 50
_PYTEST_SECTIONS = (
    ("pytest.ini", "[pytest]"),
    ("tox.ini", "[pytest]"),
    ("setup.cfg", "[tool:pytest]"),
)
_ASSIGNED = re.compile(rf"""{SETTINGS}["']?\s*(?:,|:=|=|\]\s*=)\s*["']?([A-Za-z_][\w.]*)""")
_COMMANDS = ("manage.py", "runtests.py", "tests/__main__.py", "Makefile", "makefile", "setup.py")
_MODULES = ("tests/settings.py", "test_settings.py", "tests/test_settings.py", "settings.py")


@dataclass(frozen=True)
class Suite:
    """The name of a framework, and the module with the settings of Django, "" for none.

    `root` is the directory that this module is imported from, "" for that of the tree.
    """

    framework: str
    settings: str = ""
    root: str = ""

    @property
    def packages(self) -> tuple[str, ...]:
        """What the framework itself needs."""
        if self.framework != "pytest":
            return ()
        return ("pytest", "pytest-django") if self.settings else ("pytest",)


def suite_of(tree: Path, packages: Iterable[str]) -> Suite:
    """The framework that the project runs its tests with; pytest runs most suites anyway."""
    names = {canonicalize_name(Requirement(package).name) for package in packages}
    if _uses_pytest(tree, names):
        return Suite("pytest", _pytest_settings(tree))
    if (tree / "tests" / "runtests.py").is_file() and (tree / "django").is_dir():
        return Suite("django")
    modules = _imported_by_tests(tree)
    about_django = "django" in names | modules or (tree / "manage.py").is_file()
    if about_django and (found := next(_django_settings(tree), None)):
        return Suite("django-project", *found)
    plain = "unittest" in modules and "pytest" not in modules and not _uses_nose(tree, names)
    return Suite("unittest" if plain else "pytest")


def _uses_pytest(tree: Path, names: Iterable[str]) -> bool:
    if any(name.startswith("pytest") for name in names):
        return True
    if "pytest" in load_pyproject(tree).get("tool", {}):
        return True
    if any((tree / name).is_file() for name in ("pytest.ini", "conftest.py", "tests/conftest.py")):
        return True
    return any(section in text_of(tree / file) for file, section in _PYTEST_SECTIONS)


def _uses_nose(tree: Path, names: Collection[str]) -> bool:
    """Whether nose runs the tests, which sets classes and modules up as pytest does."""
    return "nose" in names or "[nosetests]" in text_of(tree / "setup.cfg")


def _pytest_settings(tree: Path) -> str:
    """What pytest-django is told in the options of pytest."""
    table = load_pyproject(tree).get("tool", {}).get("pytest", {}).get("ini_options", {})
    own = table.get(SETTINGS, "")
    found = (_settings_in(tree / file) for file, _ in _PYTEST_SECTIONS)
    return own if isinstance(own, str) and own else next(filter(None, found), "")


def named_as_tests(path: str, tree: Path) -> bool:
    """Whether the project's own pattern (`python_files` of pytest) says that a file holds tests."""
    patterns = _pytest_option(tree, "python_files")
    return any(fnmatch(PurePosixPath(path).name, p) or fnmatch(path, p) for p in patterns)


def is_passed_over(path: str, tree: Path) -> bool:
    """Whether a file lies in a directory that pytest is told not to enter (`norecursedirs`)."""
    patterns = [pattern.rstrip("/") for pattern in _pytest_option(tree, "norecursedirs")]
    return any(
        fnmatch(f"/{place}", f"*/{pattern}") if "/" in pattern else fnmatch(place.name, pattern)
        for place in PurePosixPath(path).parents
        for pattern in patterns
    )


def _pytest_option(tree: Path, name: str) -> list[str]:
    """The words of an option of pytest in the project's settings."""
    table = load_pyproject(tree).get("tool", {}).get("pytest", {}).get("ini_options", {})
    own = table.get(name, [])
    parser = configparser.RawConfigParser(strict=False)
    for file, section in _PYTEST_SECTIONS:
        with contextlib.suppress(configparser.Error):
            parser.read_string(text_of(tree / file))
            own = own or parser.get(section.strip("[]"), name, fallback="")
    return own.split() if isinstance(own, str) else [str(pattern) for pattern in own]


def _django_settings(tree: Path) -> Iterator[tuple[str, str]]:
    """The modules that say of themselves, or that others say, that they hold Django's settings.

    With the directory that each is imported from.
    """
    if named := (tox(tree).settings or {}).get(SETTINGS):
        yield named, ""
    yield from ((named, "") for file in _COMMANDS if (named := _settings_in(tree / file)))
    yield from _settings_of_projects(tree)
    for file in _MODULES:
        if "INSTALLED_APPS" in text_of(tree / file):
            yield file.removesuffix(".py").replace("/", "."), ""


def _settings_of_projects(tree: Path) -> Iterator[tuple[str, str]]:
    """What the `manage.py` of a project in a directory of its own says, the tests' own first."""
    places = sorted(script.parent for script in tree.glob("[!.]*/manage.py"))
    for place in sorted(places, key=lambda place: "test" not in place.name):
        named = _settings_in(place / "manage.py")
        if named and is_plain_directory(place) and _has_module(place, named):
            yield named, place.name


def _has_module(place: Path, name: str) -> bool:
    module = place / name.replace(".", "/")
    return module.with_suffix(".py").is_file() or (module / "__init__.py").is_file()


def _settings_in(path: Path) -> str:
    match = _ASSIGNED.search(text_of(path))
    return match[1] if match else ""


def _imported_by_tests(tree: Path) -> set[str]:
    """Top-level names that a sample of the test files imports."""
    patterns = ("test_*.py", "tests.py", "*_test.py")
    tests = sorted({path for pattern in patterns for path in tree.rglob(pattern)})
    return {name for path in tests[:_SAMPLED_TEST_FILES] for name in imported(parse(path))}
