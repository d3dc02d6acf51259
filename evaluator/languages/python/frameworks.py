"""Python's test frameworks: how files become arguments, and which part of the probe runs them."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from evaluator.languages.protocol import Framework
from evaluator.languages.python.environment.suites import is_passed_over, named_as_tests
from evaluator.storage.keys import digest_of

TEST_NAME = re.compile(r"test.*\.py|.*tests?\.py")
TEST_DEFINITION = re.compile(
    rb"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+test|def[ \t]+runTest\b|class[ \t]+\w*Test)"
    rb"|\bload_tests\b|\bTestSuite\b",
    re.MULTILINE,
)


def holds_tests(path: str, tree: Path) -> bool:
    """Whether a Python file is named as a test or defines tests; support files do not.

    A diff's test part touches more than tests: packages, fixtures, modules to be documented. Some
    of these cannot even be imported by themselves, so they are not given to the framework.
    """
    file = tree / path
    return file.suffix == ".py" and file.is_file() and is_test(path, file.read_bytes())


def is_test(path: str, content: bytes) -> bool:
    """Whether a Python file with this content is named as a test or defines tests."""
    place = PurePosixPath(path)
    if place.suffix != ".py":
        return False
    return bool(TEST_NAME.fullmatch(place.name) or TEST_DEFINITION.search(content))


def module_name(path: str) -> str:
    """The dotted name of a Python file relative to its root; a package's for `__init__.py`."""
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1:] == ("__init__",) else parts)


NOT_RUN = frozenset({"__init__.py", "conftest.py"})


@dataclass(frozen=True)
class Pytest:
    """Files are given as they are; outcomes come from a plugin object."""

    runner: str = "pytest"
    variables: Mapping[str, str] = field(default_factory=dict)

    def selects(self, path: str, tree: Path) -> bool:
        """Python files that define tests, or that the project's own pattern names.

        For a package's file pytest would collect all of it. Where pytest is told not to look, a
        file that only looks like a test is data of one.
        """
        place = PurePosixPath(path)
        if place.name in NOT_RUN or place.suffix != ".py" or not (tree / path).is_file():
            return False
        if TEST_NAME.fullmatch(place.name) or named_as_tests(path, tree):
            return True
        return holds_tests(path, tree) and not is_passed_over(path, tree)

    def label(self, path: str, import_roots: Sequence[str]) -> str:  # noqa: ARG002
        """The path itself, kept from being taken for an option."""
        return f"./{path}" if path.startswith("-") else path

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """As the reference harness calls pytest, without colors."""
        return ("-rA", "-p", "no:cacheprovider", "--color=no", *extra, *labels)

    def program(self) -> tuple[str, ...]:
        """The framework's own command."""
        return ("python", "-m", "pytest")


class _TestModules:
    """Frameworks of unittest's family, which take modules by their dotted names."""

    def selects(self, path: str, tree: Path) -> bool:
        """Python files that define tests."""
        return holds_tests(path, tree)

    def label(self, path: str, import_roots: Sequence[str]) -> str:
        """The module's dotted name from the import root that it is in, else that of the tree."""
        roots = (f"{root.strip('./')}/" for root in import_roots)
        root = max((root for root in roots if path.startswith(root)), key=len, default="")
        return module_name(path.removeprefix(root))


@dataclass(frozen=True)
class Unittest(_TestModules):
    """Files are given as dotted module names; outcomes come from the result object."""

    runner: str = "unittest"
    variables: Mapping[str, str] = field(default_factory=dict)

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """The module names; options of the recipe have no place here."""
        return (*extra, *labels)

    def program(self) -> tuple[str, ...]:
        """The framework's own command."""
        return ("python", "-m", "unittest", "-v")


@dataclass(frozen=True)
class Django(_TestModules):
    """Files are given as labels below `tests/`; outcomes come from unittest's result object."""

    runner: str = "django"
    variables: Mapping[str, str] = field(default_factory=dict)

    def label(self, path: str, import_roots: Sequence[str]) -> str:  # noqa: ARG002
        """The dotted name without `tests`: `tests/admin_views/tests.py` is `admin_views.tests`."""
        return module_name(path.removeprefix("tests/"))

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """As the reference harness calls it."""
        fixed = ("--verbosity", "2", "--settings=test_sqlite", "--parallel", "1")
        return (*fixed, *extra, *labels)

    def program(self) -> tuple[str, ...]:
        """Django's own script."""
        return ("python", "tests/runtests.py")


@dataclass(frozen=True)
class DjangoProject(_TestModules):
    """Django's command `test` on a project or an application; files are given as module names.

    The settings are those of `manage.py`, or else of DJANGO_SETTINGS_MODULE.
    """

    runner: str = "django_project"
    variables: Mapping[str, str] = field(default_factory=dict)

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """The names, with a test database made anew and without questions."""
        return ("--verbosity", "2", "--noinput", *extra, *labels)

    def program(self) -> tuple[str, ...]:
        """Django's own command."""
        return ("python", "-m", "django", "test")


@dataclass(frozen=True)
class Sympy:
    """Files are given as they are; outcomes come from the reporter.

    sympy's cache is on, as its own `bin/test` has it. The reference harness switches it off
    (`-C`), which makes recursive functions exponential: `test_bell` of sympy 1.1 takes minutes
    instead of seconds. A recipe gets the reference's way by SYMPY_USE_CACHE=no.
    """

    runner: str = "sympy"
    variables: Mapping[str, str] = field(default_factory=dict)

    def selects(self, path: str, tree: Path) -> bool:
        """What sympy's runner finds by itself: `test_*.py` below `sympy/`."""
        pure = PurePosixPath(path)
        found = pure.parts[0] == "sympy" and pure.match("test_*.py")
        return found and holds_tests(path, tree)

    def label(self, path: str, import_roots: Sequence[str]) -> str:  # noqa: ARG002
        """The path itself."""
        return path

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """The paths; options of the recipe have no place here."""
        return (*extra, *labels)

    def program(self) -> tuple[str, ...]:
        """The framework's own script."""
        return ("python", "bin/test", "--verbose")


FRAMEWORKS: Mapping[str, Framework] = MappingProxyType(
    {
        "pytest": Pytest(),
        "unittest": Unittest(),
        "django": Django(),
        "django-project": DjangoProject(),
        "sympy": Sympy(),
        "sphinx": Pytest(),
    }
)


PROBE = Path(__file__).parent / "probe"


@dataclass(frozen=True)
class PythonRunner:
    """The probe, which needs nothing but the standard library of Python 3.6 or newer."""

    probe: Path = PROBE

    @property
    def digest(self) -> str:
        """Of the probe and of what decides how it is called."""
        return _digest()

    def forget_compiled(self, tree: Path, path: str) -> None:
        """Remove the bytecode of a module."""
        file = tree / path
        for compiled in file.parent.glob(f"__pycache__/{file.stem}.*.pyc"):
            compiled.unlink()


@functools.cache
def _digest() -> str:
    here = Path(__file__)
    sources = [here, here.with_name("environment") / "types.py", *PROBE.glob("*.py")]
    return digest_of(sorted(sources))
