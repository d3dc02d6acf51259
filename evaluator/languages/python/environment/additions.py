"""What may be added to a recipe for what tests cannot be loaded or run without.

Only what the base's own files name is looked for: no change can have a package installed.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from evaluator.environment.types import Addition
from evaluator.languages.python.environment.generated_modules import with_build
from evaluator.languages.python.environment.gone import OLDEST_PYTEST, minor, older, runs_pytest
from evaluator.languages.python.environment.import_names import (
    ALWAYS_THERE,
    FIXTURES,
    distribution_of,
)
from evaluator.languages.python.environment.installed import present
from evaluator.languages.python.environment.interpreter import released_by
from evaluator.languages.python.environment.lacking import (
    DIRECTORY,
    FILTER,
    FOR_PYTEST,
    GENERATED,
    INTERPRETER,
    LANGUAGE,
    LOCALE,
    NEWER,
    RELEASE,
    declared,
    fails_by_itself,
    lacking,
    python_version,
)
from evaluator.languages.python.environment.own_directory import with_directory
from evaluator.languages.python.environment.project import requirement_name
from evaluator.languages.python.environment.strict_warnings import with_filter
from evaluator.languages.python.environment.tested_with import up_to
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.model import Run

_CONFIGURATION = ("conftest.py", "pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml")


def additions(environment: PythonEnvironment, run: Run, tree: Path) -> Sequence[Addition]:
    """The recipe with one package more each, for what kept tests of a run from being loaded.

    Or with something else that may help, such as an older Python, or one package less.
    """
    lacks = [(each, lacking(environment, each, tree)) for each in run.outcomes.values()]
    found = {what for _, what in lacks if what}
    possible = [each for what in sorted(found) for each in _alternatives(environment, what, tree)]
    if any(not what and fails_by_itself(outcome) for outcome, what in lacks):
        possible.append(_of_its_time(environment))
    return [addition for addition in possible if addition is not None]


def _alternatives(
    environment: PythonEnvironment, what: str, tree: Path
) -> Iterator[Addition | None]:
    yield _addition(environment, what, tree)
    if what.startswith(NEWER):
        yield _without(environment.recipe, what, what.removeprefix(NEWER))


def _addition(environment: PythonEnvironment, what: str, tree: Path) -> Addition | None:
    for beginning, make in _OTHERWISE.items():
        if what.startswith(beginning):
            return make(environment, what, what.removeprefix(beginning))
    package = _package(what, tree)
    if not package or requirement_name(package) in present(environment):
        return None
    return Addition(what, package, environment.recipe.adding(package))


def _with_interpreter(environment: PythonEnvironment, what: str, name: str) -> Addition | None:
    return _older(environment.recipe, what, older(environment.recipe.python, name))


def _of_its_time(environment: PythonEnvironment) -> Addition | None:
    """The recipe for versions of Python that there were when its commit was made."""
    recipe, date = environment.recipe, environment.date
    if date is None:
        return None
    older = _older(recipe, f"interpreter of {date.year}", released_by(recipe.python, date))
    return dataclasses.replace(older, uncertain=True) if older else None


def _up_to(environment: PythonEnvironment, what: str, release: str) -> Addition:
    bound = up_to(release)
    return Addition(what, bound, environment.recipe.adding(bound), alone=True)


def _older(recipe: PythonRecipe, what: str, versions: tuple[str, ...]) -> Addition | None:
    """The recipe for some of its versions of Python only."""
    if versions in ((), recipe.python):
        return None
    narrower = dataclasses.replace(recipe, python=versions)
    newest = max(map(minor, versions))
    return Addition(what, f"python<3.{newest + 1}", narrower, key="python", alone=True)


def _of_any_time(environment: PythonEnvironment, what: str, package: str) -> Addition | None:
    """The recipe with the newest release of a package that its bounds allow, whatever its date."""
    recipe = environment.recipe
    if package in recipe.newer_packages:
        return None
    newer = dataclasses.replace(recipe, newer_packages=(*recipe.newer_packages, package))
    return Addition(what, package, newer, key="newer_packages", alone=True)


def _without(recipe: PythonRecipe, what: str, package: str) -> Addition | None:
    """The recipe without a package that only tests ask for; some of them do without."""
    if package not in recipe.optional_packages:
        return None
    left = dataclasses.replace(recipe, without_packages=(*recipe.without_packages, package))
    named = f"without {package}"
    key = "without_packages"
    return Addition(what, named, left, key, alone=True, leaves_out=True, uncertain=True)


def _with_pytest(environment: PythonEnvironment, what: str, release: str) -> Addition | None:
    """An older Python for a pinned pytest, or a newer pytest where the project allows none."""
    recipe = environment.recipe
    versions = tuple(each for each in recipe.python if runs_pytest(each, release))
    if narrower := _older(recipe, what, versions):
        return narrower
    wanted = f"pytest>={OLDEST_PYTEST[minor(python_version(environment))]}"
    packages = tuple(wanted if _is_pytest(line) else line for line in recipe.packages)
    if packages == recipe.packages:
        return None
    looser = dataclasses.replace(recipe, packages=tuple(dict.fromkeys(packages)))
    return Addition(what, wanted, looser, key="packages", alone=True)


_OTHERWISE: Mapping[str, Callable[[PythonEnvironment, str, str], Addition | None]] = {
    FOR_PYTEST: _with_pytest,
    INTERPRETER: _with_interpreter,
    FILTER: lambda environment, what, ignored: with_filter(what, environment.recipe, ignored),
    GENERATED: lambda environment, what, _: with_build(what, environment.recipe),
    DIRECTORY: lambda environment, what, place: with_directory(what, environment.recipe, place),
    NEWER: _of_any_time,
    RELEASE: _up_to,
    LANGUAGE: lambda *_: None,
    LOCALE: lambda *_: None,
}
"""What else than one package more may help, by how what is lacking begins."""


def _is_pytest(requirement: str) -> bool:
    return requirement_name(requirement) == "pytest"


def _package(what: str, tree: Path) -> str:
    """The requirement that may have a module or fixture; "" for what no file of the tree names."""
    kind, _, name = what.partition(" ")
    if kind == "fixture":
        return FIXTURES[name]
    if kind == "package":
        return declared(tree).get(name, "")
    # Old packages need what each virtual environment had, and none of them says so.
    imported = {name} & ALWAYS_THERE or _imported(name.partition(".")[0], tree)
    # Where a part of a namespace is there, another part is lacking: `azure.identity`.
    narrow = {dotted for dotted in imported if f"{dotted}.".startswith(f"{name}.")}
    return min({distribution_of(dotted) for dotted in narrow or imported} - {""}, default="")


def _imported(module: str, tree: Path) -> set[str]:
    """The dotted names by which files of a tree import a module or its parts.

    The module itself, where the configuration of tests names it as a plug-in.
    """
    name = re.escape(module.encode())
    part = re.compile(
        rb"^[ \t]*(?:from[ \t]+(%b[\w.]*)[ \t]+import[ \t(]+(\w+)|import[^\n#]*?\b(%b[\w.]*)"
        rb"|[^\n#]*?\bimportorskip\(\s*['\"](%b[\w.]*))" % (name, name, name),
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
