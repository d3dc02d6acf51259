"""What tests could not be loaded without, or were skipped for, and the packages that may have it.

Only what the base's own files name is looked for: no change can have a package installed.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from evaluator.environment.types import Addition
from evaluator.languages.python.environment.automation import for_some_environments
from evaluator.languages.python.environment.import_names import (
    ALWAYS_THERE,
    FIXTURES,
    distribution_of,
)
from evaluator.languages.python.environment.project import read_project
from evaluator.languages.python.environment.types import PythonEnvironment
from evaluator.model import Phase, Run, Status, TestOutcome

_MODULE = re.compile(r"(?:No module named|import filter module) '?([A-Za-z_][\w.]*)'?")
_FIXTURE = re.compile(r"fixture '(\w+)' not found|\A\('(\w+)', <")
_WORD = re.compile(r"[A-Za-z][\w.-]*\w")
_BEFORE_THE_TEST = (Phase.COLLECTION, Phase.SETUP)
_CONFIGURATION = ("conftest.py", "pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml")


def lacking(environment: PythonEnvironment, outcome: TestOutcome, tree: Path) -> str:
    """What a test could not be loaded without, or was skipped for: `module toml`.

    That is a module, a fixture, or a `package` that `tree` declares for some of its environments
    and that the reason of the skip names. "" where a test lacked nothing, or a module that `tree`
    should have itself.
    """
    if outcome.failure and outcome.status is Status.SKIPPED:
        return _skipped_for(environment, outcome.failure.message, tree)
    if not outcome.status.fails or outcome.phase not in _BEFORE_THE_TEST or not outcome.failure:
        return ""
    fixture = _FIXTURE.search(outcome.failure.message)
    if fixture and (name := fixture[1] or fixture[2]) in FIXTURES:
        return f"fixture {name}"
    return _lacking_module(environment, outcome.failure.message, tree)


def _lacking_module(environment: PythonEnvironment, message: str, tree: Path) -> str:
    module = _MODULE.search(message)
    if module and not _is_own(module[1].partition(".")[0], tree, environment.recipe.import_roots):
        return f"module {module[1]}"
    return ""


def _skipped_for(environment: PythonEnvironment, message: str, tree: Path) -> str:
    """The module or declared package whose absence is the reason of a skip, as far as it says."""
    words = {canonicalize_name(word) for word in _WORD.findall(message)}
    named = words & {*_declared(tree)} - _present(environment)
    return f"package {min(named)}" if named else _lacking_module(environment, message, tree)


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
    """The recipe with one package more each, for what kept tests of a run from being loaded."""
    found = {lacking(environment, outcome, tree) for outcome in run.outcomes.values()} - {""}
    tried = _present(environment)
    wanted = ((what, _package(what, tree)) for what in sorted(found))
    return [
        Addition(what, package, environment.recipe.adding(package))
        for what, package in wanted
        if package and canonicalize_name(Requirement(package).name) not in tried
    ]


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
    """Whether a tree has a module, be it a part of it only."""
    places = [tree / root / module for root in dict.fromkeys((*roots, "", "tests"))]
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
