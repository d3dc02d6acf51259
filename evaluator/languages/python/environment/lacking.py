"""What tests cannot be loaded or run without, or were skipped for."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Mapping, Sequence, Set
from pathlib import Path

from packaging.utils import canonicalize_name

from evaluator.languages.python.environment.automation import for_some_environments
from evaluator.languages.python.environment.failing_import import failing_import
from evaluator.languages.python.environment.generated_modules import generated_module
from evaluator.languages.python.environment.gone import gone, is_of_python_2, runs_pytest
from evaluator.languages.python.environment.import_names import FIXTURES
from evaluator.languages.python.environment.installed import installed_distribution, present
from evaluator.languages.python.environment.own_directory import own_directory
from evaluator.languages.python.environment.project import read_project, requirement_name
from evaluator.languages.python.environment.static import called_with, imported, parse
from evaluator.languages.python.environment.strict_warnings import filter_for
from evaluator.languages.python.environment.tested_with import tested_release
from evaluator.languages.python.environment.types import PythonEnvironment
from evaluator.model import Failure, Phase, Status, TestOutcome

INTERPRETER = "interpreter with "
FOR_PYTEST = "interpreter for pytest "
RELEASE = "release "
NEWER = "newer "
FILTER = "filter "
GENERATED = "generated "
DIRECTORY = "directory "
LANGUAGE = "language "
LOCALE = "locale "
"""How what is lacking begins, but for packages, modules and fixtures."""
_MODULE = re.compile(r"(?:No module named|import filter module) '?([A-Za-z_][\w.]*)'?")
_INSTALLED = re.compile(
    r"cannot import name '\w+' from '([A-Za-z_][\w.]*)' \([^\n]*/(?:site|dist)-packages/"
)
_FIXTURE = re.compile(r"fixture '(\w+)' not found|\A\('(\w+)', <")
_NO_LOCALE = "unsupported locale setting"
_PROGRAM = re.compile(r"python(3\.\d+)")
_EXTRA = re.compile(
    r"\w\[([\w., -]{1,100})\]|['\"`]([\w.-]{1,50})['\"`] extra\b|\bextra ['\"`]([\w.-]{1,50})['\"`]"
)
_INSTALL = re.compile(r"\binstall(?:ed|ing)?\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][\w.-]*\w")
_BEFORE_THE_TEST = (Phase.COLLECTION, Phase.SETUP)
_ASKING = frozenset(
    error.__name__
    for error in (AttributeError, ImportError, ModuleNotFoundError, NameError, TypeError)
)
"""How code fails that asks for what is not there."""


def lacking(environment: PythonEnvironment, outcome: TestOutcome, tree: Path) -> str:
    """What a test could not be loaded or run without, or was skipped for: `module toml`.

    That is a module, a fixture, an `interpreter with imp` or `for pytest 3.0` where only older
    versions of Python are one, a `package` that `tree` declares for some of its environments and
    that the reason of the skip names, a `filter ignore:...` for a warning that counts as an error,
    a `generated words.parser` that the project's own build makes, the `directory tests` from which
    modules are imported that stand there, the `language Python 2`, a `locale of the machine`, and
    where nothing else explains why a file cannot be loaded, the `release django 5.2` where there is
    a newer one than `tree` says it was tested with, or a `newer face` than was found for the time.
    "" where a test lacked nothing, or a module that `tree` should have.
    """
    if outcome.failure and outcome.status is Status.SKIPPED:
        return _skipped_for(environment, outcome.file, outcome.failure, tree)
    if not outcome.status.fails or not outcome.failure:
        return ""
    if directory := own_directory(outcome, tree, environment.recipe.import_roots):
        return f"{DIRECTORY}{directory}"
    if outcome.phase not in _BEFORE_THE_TEST:
        return _imported_late(environment, outcome.failure, tree)
    if pytest := _refused_pytest(environment):
        return f"{FOR_PYTEST}{pytest}"
    found = (find(environment, outcome.failure, tree) for find in _FINDERS)
    named = next(filter(None, found), "")
    return (
        named
        or _lacking_release(environment, outcome, tree)
        or _lacking_newer(environment, outcome.failure, tree)
    )


def fails_by_itself(outcome: TestOutcome) -> bool:
    """Whether a file cannot be loaded, and not because it asks for what may not exist yet.

    A test for that asks for it by a name or a parameter.
    """
    asks = outcome.failure is None or outcome.failure.exception_type in _ASKING
    return outcome.status.fails and outcome.phase is Phase.COLLECTION and not asks


def _imported_late(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    """The module that a test, or what it calls, imports only as it runs.

    Where that raises another error, its message quotes the import's, or names what is declared.
    """
    if module := _lacking_module(environment, failure, tree):
        return module
    about_imports = failure.exception_type in (ImportError.__name__, ModuleNotFoundError.__name__)
    if about_imports:
        return _named_package(environment, failure, tree)
    return _lacking_package(environment, failure, tree)


def _lacking_package(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    """What is declared and, as an error of the project's own says, not installed."""
    asked = _INSTALL.search(failure.message)
    return _named_package(environment, failure, tree) if asked else ""


def _lacking_fixture(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:  # noqa: ARG001
    found = _FIXTURE.search(failure.message)
    name = (found[1] or found[2]) if found else ""
    return f"fixture {name}" if name in FIXTURES else ""


def _lacking_interpreter(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    old = gone(failure.message)
    is_own = old and _is_own(old.partition(".")[0], tree, environment.recipe.import_roots)
    return f"{INTERPRETER}{old}" if old and not is_own else ""


def _lacking_filter(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:  # noqa: ARG001
    ignored = filter_for(failure)
    return f"{FILTER}{ignored}" if ignored else ""


def _lacking_generated(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    module = generated_module(failure.message, tree, environment.recipe.import_roots)
    return f"{GENERATED}{module}" if module else ""


def _lacking_module(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    module = _MODULE.search(failure.message)
    if module and not _is_own(module[1].partition(".")[0], tree, environment.recipe.import_roots):
        return f"module {module[1]}"
    return ""


def _lacking_language(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    """A tree may have a module of its own that was once one of the standard library."""
    named = _MODULE.search(failure.message)
    is_own = named and not _lacking_module(environment, failure, tree)
    return f"{LANGUAGE}Python 2" if is_of_python_2(failure) and not is_own else ""


def _lacking_locale(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:  # noqa: ARG001
    """Which one it is, `locale.Error` does not say (agate's tests ask for `en_US.UTF-8`)."""
    return f"{LOCALE}of the machine" if failure.message == _NO_LOCALE else ""


_FINDERS = (
    _lacking_language,
    _lacking_fixture,
    _lacking_interpreter,
    _lacking_filter,
    _lacking_generated,
    _lacking_module,
    _lacking_package,
    _lacking_locale,
)
"""What each failure before a test may say, the first that does."""


def _lacking_release(environment: PythonEnvironment, outcome: TestOutcome, tree: Path) -> str:
    if outcome.phase is not Phase.COLLECTION:
        return ""
    release = tested_release(environment.packages, tree)
    return f"{RELEASE}{release}" if release else ""


def _lacking_newer(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    """An installed package that lacks a name, or that cannot be imported at all.

    The release of the time may have no wheel of then, or is for older versions of Python only.
    """
    found = _INSTALLED.search(failure.message)
    module = found[1] if found else failing_import(failure, tree)
    package = installed_distribution(environment, module) if module else ""
    return f"{NEWER}{package}" if package else ""


def _skipped_for(environment: PythonEnvironment, file: str, failure: Failure, tree: Path) -> str:
    """The module or declared package whose absence is the reason of a skip, as far as it says."""
    if package := _named_package(environment, failure, tree):
        return package
    words = {*map(canonicalize_name, _WORD.findall(failure.message))}
    named = {name for name in _imported(tree / file) if canonicalize_name(name) in words}
    module = _lacking_module(environment, failure, tree)
    return module or _named_module(environment, named, tree)


def _named_package(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    """One that is declared and absent, of those that a message names, or whose extra it does."""
    words = {*map(canonicalize_name, _WORD.findall(failure.message))}
    named = words & {*declared(tree)} | _of_named_extras(failure.message, tree)
    absent = named - present(environment)
    return f"package {min(absent)}" if absent else ""


def _of_named_extras(message: str, tree: Path) -> Set[str]:
    """The packages of the extras that a message asks for: `install own[a,b]`, `the 'a' extra`."""
    found = (name for match in _EXTRA.finditer(message) for name in match.groups(default=""))
    asked = {canonicalize_name(name.strip()) for part in found for name in part.split(",")}
    extras = _extras(tree).items()
    lines = [line for name, wanted in extras if canonicalize_name(name) in asked for line in wanted]
    return {*map(requirement_name, lines)}


def _named_module(environment: PythonEnvironment, modules: Set[str], tree: Path) -> str:
    """The first that is absent of modules that a test's file imports and a skip's reason names.

    `pytz not installed` names one.
    """
    absent = [
        name
        for name in modules - sys.stdlib_module_names
        if not installed_distribution(environment, name)
        and not _is_own(name, tree, environment.recipe.import_roots)
    ]
    return f"module {min(absent)}" if absent else ""


@functools.lru_cache
def _imported(file: Path) -> Set[str]:
    """The top-level names of the modules that a file of a pristine tree imports, or asks for."""
    code = parse(file)
    asked_for = called_with(code, "importorskip")
    return imported(code).union(module.partition(".")[0] for module in asked_for)


@functools.lru_cache(maxsize=1)
def declared(tree: Path) -> Mapping[str, str]:
    """What a tree declares for some of its environments: the requirements, by their names."""
    lines = [line for extra in _extras(tree).values() for line in extra]
    return {requirement_name(line): line for line in (*lines, *for_some_environments(tree))}


@functools.lru_cache(maxsize=1)
def _extras(tree: Path) -> Mapping[str, tuple[str, ...]]:
    """The extras of a pristine tree: every failing test may ask for them."""
    return read_project(tree).extras


def _refused_pytest(environment: PythonEnvironment) -> str:
    """The release of pytest in an environment whose Python cannot run it, "" if it can."""
    pins = (pin.partition("==") for pin in environment.packages)
    release = next((version for name, _, version in pins if name == "pytest"), "")
    version = python_version(environment)
    return release if release and version and not runs_pytest(version, release) else ""


def python_version(environment: PythonEnvironment) -> str:
    """`3.11`, as the program of an installation is named; "" where it is not."""
    named = _PROGRAM.fullmatch(environment.python.resolve().name)
    return named[1] if named else ""


def _is_own(module: str, tree: Path, roots: Sequence[str]) -> bool:
    """Whether a tree has a module, be it a part of it only.

    pytest imports what stands in a directory of tests that is no package itself.
    """
    tests = () if (tree / "tests" / "__init__.py").is_file() else ("tests",)
    places = [tree / root / module for root in dict.fromkeys((*roots, "", *tests))]
    return any(place.is_dir() or place.with_suffix(".py").is_file() for place in places)
