"""What tests cannot be loaded or run without, or were skipped for, and the packages that have it.

Only what the base's own files name is looked for: no change can have a package installed.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from evaluator.environment.types import Addition
from evaluator.languages.python.environment.automation import for_some_environments
from evaluator.languages.python.environment.failing_import import failing_import
from evaluator.languages.python.environment.generated_modules import (
    generated_module,
    with_build,
)
from evaluator.languages.python.environment.gone import (
    OLDEST_PYTEST,
    gone,
    minor,
    older,
    runs_pytest,
)
from evaluator.languages.python.environment.import_names import (
    ALWAYS_THERE,
    FIXTURES,
    distribution_of,
)
from evaluator.languages.python.environment.project import read_project
from evaluator.languages.python.environment.strict_warnings import filter_for, with_filter
from evaluator.languages.python.environment.tested_with import tested_release, up_to
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.model import Failure, Phase, Run, Status, TestOutcome

_MODULE = re.compile(r"(?:No module named|import filter module) '?([A-Za-z_][\w.]*)'?")
_INSTALLED = re.compile(
    r"cannot import name '\w+' from '([A-Za-z_][\w.]*)' \([^\n]*/(?:site|dist)-packages/"
)
_FIXTURE = re.compile(r"fixture '(\w+)' not found|\A\('(\w+)', <")
_INTERPRETER = "interpreter with "
_FOR_PYTEST = "interpreter for pytest "
_RELEASE = "release "
_NEWER = "newer "
_FILTER = "filter "
_GENERATED = "generated "
_PROGRAM = re.compile(r"python(3\.\d+)")
_WORD = re.compile(r"[A-Za-z][\w.-]*\w")
_BEFORE_THE_TEST = (Phase.COLLECTION, Phase.SETUP)
_CONFIGURATION = ("conftest.py", "pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml")


def lacking(environment: PythonEnvironment, outcome: TestOutcome, tree: Path) -> str:
    """What a test could not be loaded or run without, or was skipped for: `module toml`.

    That is a module, a fixture, an `interpreter with imp` or `for pytest 3.0` where only older
    versions of Python are one, a `package` that `tree` declares for some of its environments and
    that the reason of the skip names, a `filter ignore:...` for a warning that counts as an error,
    a `generated words.parser` that the project's own build makes, and where nothing else explains
    why a file cannot be loaded, the `release django 5.2` where there is a newer one than `tree`
    says it was tested with, or a `newer face` than was found for the time. "" where a test lacked
    nothing, or a module that `tree` should have.
    """
    if outcome.failure and outcome.status is Status.SKIPPED:
        return _skipped_for(environment, outcome.failure, tree)
    if not outcome.status.fails or not outcome.failure:
        return ""
    if outcome.phase not in _BEFORE_THE_TEST:
        return _imported_late(environment, outcome.failure, tree)
    if pytest := _refused_pytest(environment):
        return f"{_FOR_PYTEST}{pytest}"
    found = (find(environment, outcome.failure, tree) for find in _FINDERS)
    named = next(filter(None, found), "")
    return (
        named
        or _lacking_release(environment, outcome, tree)
        or _lacking_newer(environment, outcome.failure, tree)
    )


def _imported_late(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    """The module that a test, or what it calls, imports only as it runs."""
    absent = failure.exception_type == ModuleNotFoundError.__name__
    return _lacking_module(environment, failure, tree) if absent else ""


def _lacking_fixture(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:  # noqa: ARG001
    found = _FIXTURE.search(failure.message)
    name = (found[1] or found[2]) if found else ""
    return f"fixture {name}" if name in FIXTURES else ""


def _lacking_interpreter(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    old = gone(failure.message)
    is_own = old and _is_own(old.partition(".")[0], tree, environment.recipe.import_roots)
    return f"{_INTERPRETER}{old}" if old and not is_own else ""


def _lacking_filter(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:  # noqa: ARG001
    ignored = filter_for(failure)
    return f"{_FILTER}{ignored}" if ignored else ""


def _lacking_generated(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    module = generated_module(failure.message, tree, environment.recipe.import_roots)
    return f"{_GENERATED}{module}" if module else ""


def _lacking_module(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    module = _MODULE.search(failure.message)
    if module and not _is_own(module[1].partition(".")[0], tree, environment.recipe.import_roots):
        return f"module {module[1]}"
    return ""


_FINDERS = (
    _lacking_fixture,
    _lacking_interpreter,
    _lacking_filter,
    _lacking_generated,
    _lacking_module,
)
"""What each failure before a test may say, the first that does."""


def _lacking_release(environment: PythonEnvironment, outcome: TestOutcome, tree: Path) -> str:
    if outcome.phase is not Phase.COLLECTION:
        return ""
    release = tested_release(environment.packages, tree)
    return f"{_RELEASE}{release}" if release else ""


def _lacking_newer(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    """An installed package that lacks a name, or that cannot be imported at all.

    The release of the time may have no wheel of then, or is for older versions of Python only.
    """
    found = _INSTALLED.search(failure.message)
    module = found[1] if found else failing_import(failure, tree)
    package = distribution_of(module) if module else ""
    return f"{_NEWER}{package}" if package in _present(environment) else ""


def _skipped_for(environment: PythonEnvironment, failure: Failure, tree: Path) -> str:
    """The module or declared package whose absence is the reason of a skip, as far as it says."""
    words = {canonicalize_name(word) for word in _WORD.findall(failure.message)}
    named = words & {*_declared(tree)} - _present(environment)
    return f"package {min(named)}" if named else _lacking_module(environment, failure, tree)


@functools.lru_cache(maxsize=1)
def _declared(tree: Path) -> Mapping[str, str]:
    """What a tree declares for some of its environments: the requirements, by their names."""
    lines = [line for extra in read_project(tree).extras.values() for line in extra]
    return {
        canonicalize_name(Requirement(line).name): line
        for line in (*lines, *for_some_environments(tree))
    }


def _present(environment: PythonEnvironment) -> set[str]:
    names = (pin.partition("==")[0] for pin in environment.packages)
    return {*map(canonicalize_name, names), *environment.unbuilt}


def additions(environment: PythonEnvironment, run: Run, tree: Path) -> Sequence[Addition]:
    """The recipe with one package more each, for what kept tests of a run from being loaded.

    Or with versions of Python only that have what they need.
    """
    found = {lacking(environment, outcome, tree) for outcome in run.outcomes.values()} - {""}
    possible = (_addition(environment, what, tree) for what in sorted(found))
    return [addition for addition in possible if addition is not None]


def _addition(environment: PythonEnvironment, what: str, tree: Path) -> Addition | None:
    if what.startswith(_FOR_PYTEST):
        return _with_pytest(environment, what)
    if what.startswith(_INTERPRETER):
        name = what.removeprefix(_INTERPRETER)
        return _older(environment.recipe, what, older(environment.recipe.python, name))
    if what.startswith(_FILTER):
        return with_filter(what, environment.recipe, what.removeprefix(_FILTER))
    if what.startswith(_GENERATED):
        return with_build(what, environment.recipe)
    if what.startswith(_NEWER):
        return _of_any_time(environment.recipe, what, what.removeprefix(_NEWER))
    if what.startswith(_RELEASE):
        bound = up_to(what.removeprefix(_RELEASE))
        return Addition(what, bound, environment.recipe.adding(bound), alone=True)
    package = _package(what, tree)
    if not package or canonicalize_name(Requirement(package).name) in _present(environment):
        return None
    return Addition(what, package, environment.recipe.adding(package))


def _older(recipe: PythonRecipe, what: str, versions: tuple[str, ...]) -> Addition | None:
    """The recipe for some of its versions of Python only."""
    if versions in ((), recipe.python):
        return None
    narrower = dataclasses.replace(recipe, python=versions)
    newest = max(map(minor, versions))
    return Addition(what, f"python<3.{newest + 1}", narrower, key="python", alone=True)


def _of_any_time(recipe: PythonRecipe, what: str, package: str) -> Addition | None:
    """The recipe with the newest release of a package that its bounds allow, whatever its date."""
    if package in recipe.newer_packages:
        return None
    newer = dataclasses.replace(recipe, newer_packages=(*recipe.newer_packages, package))
    return Addition(what, package, newer, key="newer_packages", alone=True)


def _refused_pytest(environment: PythonEnvironment) -> str:
    """The release of pytest in an environment whose Python cannot run it, "" if it can."""
    pins = (pin.partition("==") for pin in environment.packages)
    release = next((version for name, _, version in pins if name == "pytest"), "")
    version = _version(environment)
    return release if release and version and not runs_pytest(version, release) else ""


def _version(environment: PythonEnvironment) -> str:
    """`3.11`, as the program of an installation is named; "" where it is not."""
    named = _PROGRAM.fullmatch(environment.python.resolve().name)
    return named[1] if named else ""


def _with_pytest(environment: PythonEnvironment, what: str) -> Addition | None:
    """An older Python for a pinned pytest, or a newer pytest where the project allows none."""
    recipe, release = environment.recipe, what.removeprefix(_FOR_PYTEST)
    versions = tuple(each for each in recipe.python if runs_pytest(each, release))
    if narrower := _older(recipe, what, versions):
        return narrower
    wanted = f"pytest>={OLDEST_PYTEST[minor(_version(environment))]}"
    packages = tuple(wanted if _is_pytest(line) else line for line in recipe.packages)
    if packages == recipe.packages:
        return None
    looser = dataclasses.replace(recipe, packages=tuple(dict.fromkeys(packages)))
    return Addition(what, wanted, looser, key="packages", alone=True)


def _is_pytest(requirement: str) -> bool:
    return canonicalize_name(Requirement(requirement).name) == "pytest"


def _package(what: str, tree: Path) -> str:
    """The requirement that may have a module or fixture; "" for what no file of the tree names."""
    kind, _, name = what.partition(" ")
    if kind == "fixture":
        return FIXTURES[name]
    if kind == "package":
        return _declared(tree).get(name, "")
    # Old packages need what each virtual environment had, and none of them says so.
    imported = {name} & ALWAYS_THERE or _imported(name.partition(".")[0], tree)
    # Where a part of a namespace is there, another part is lacking: `azure.identity`.
    narrow = {dotted for dotted in imported if f"{dotted}.".startswith(f"{name}.")}
    return min({distribution_of(dotted) for dotted in narrow or imported} - {""}, default="")


def _is_own(module: str, tree: Path, roots: Sequence[str]) -> bool:
    """Whether a tree has a module, be it a part of it only.

    pytest imports what stands in a directory of tests that is no package itself.
    """
    tests = () if (tree / "tests" / "__init__.py").is_file() else ("tests",)
    places = [tree / root / module for root in dict.fromkeys((*roots, "", *tests))]
    return any(place.is_dir() or place.with_suffix(".py").is_file() for place in places)


def _imported(module: str, tree: Path) -> set[str]:
    """The dotted names by which files of a tree import a module or its parts.

    The module itself, where the configuration of tests names it as a plug-in.
    """
    name = re.escape(module.encode())
    part = re.compile(
        rb"^[ \t]*(?:from[ \t]+(%b[\w.]*)[ \t]+import[ \t(]+(\w+)|import[^\n#]*?\b(%b[\w.]*))"
        % (name, name),
        re.MULTILINE,
    )
    word = re.compile(rb"\b%b\b" % name)
    found: set[str] = set()
    for path in _sources(tree):
        text = path.read_bytes()
        if path.name in _CONFIGURATION and word.search(text):
            found.add(module)
        for parts in part.findall(text):
            found.add(b".".join(filter(None, parts)).decode())
    return {dotted for dotted in found if dotted.partition(".")[0] == module}


def _sources(tree: Path) -> Iterator[Path]:
    for pattern in (*_CONFIGURATION, "**/*.py"):
        yield from (path for path in tree.glob(pattern) if path.is_file())
