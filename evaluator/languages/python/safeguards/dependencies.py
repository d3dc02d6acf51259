"""Dependencies that a change declares, and that the environment of its tests does not have.

Both sides are tested in the environment of the base. What holds there need not hold where the
package is installed with a dependency that the change adds, or in a version that it asks for.
"""

from __future__ import annotations

import contextlib
import fnmatch
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from evaluator.diff import Changes, write
from evaluator.environment.tools import link_file
from evaluator.environment.types import Environment
from evaluator.errors import InputError
from evaluator.languages.python.environment.discover import discover_recipe
from evaluator.languages.python.environment.requirements import (
    PROJECT_FILES,
    TOML_LOCKS,
    read_requirement_files,
)
from evaluator.languages.python.environment.types import python_environment
from evaluator.languages.safeguards import BaseTree, Concern
from evaluator.languages.sources import Changed

_PATTERNS: tuple[str, ...] = (*PROJECT_FILES, *TOML_LOCKS, "Pipfile", "Pipfile.lock")
_PATTERNS += ("tox.ini", "tox.toml", "noxfile.py", "hatch.toml")
_PATTERNS += ("*requirements*.txt", "requirements/*.txt", "*requirements*.in", "requirements/*.in")


_OF_NO_EFFECT = frozenset(
    {"coverage", "pytest-cov", "codecov", "coveralls", "codecov-cli"}
    | {"black", "flake8", "isort", "mypy", "pre-commit", "pyflakes", "pylint", "ruff"}
    | {"build", "tox", "tox-gh-actions", "twine"}
)
"""Packages that measure, check or publish code, or start its tests: none ends otherwise with one.

What has their plug-ins read options is another rule's.
"""


@dataclass(frozen=True)
class Declared:
    """Requirements (PEP 508), and pins of lock files, which only constrain what is wanted."""

    requirements: frozenset[str]
    pins: frozenset[str]


def declares_dependencies(path: str) -> bool:
    """Whether `declared` reads a file of this path."""
    return PurePosixPath(path).parent.name in ("", "requirements") and any(
        fnmatch.fnmatchcase(path, pattern) for pattern in _PATTERNS
    )


def dependency_files(tree: Path) -> Iterable[str]:
    """The files of a tree that `declared` reads, relative to it."""
    found = (path for pattern in _PATTERNS for path in tree.glob(pattern) if path.is_file())
    return sorted({str(path.relative_to(tree)) for path in found})


def declared(tree: Path) -> Declared:
    """What a tree declares; only its `dependency_files` need to be there. Raises InputError."""
    recipe = discover_recipe(tree)
    files, beside = recipe.requirement_files, recipe.packages
    requirements, pins = read_requirement_files(tree, files, beside)
    return Declared(frozenset({*recipe.packages, *requirements}), frozenset(pins))


_ELSEWHERE = re.compile(
    rb"(git|hg|svn|bzr)\+|@\s*(https?|file|ssh):|^\s*(-e|-i|--(extra-)?index-url|--find-links)\b"
)
"""Requirements that name a place, not a release: nothing is fetched from there."""


def unmet_dependencies(changed: Changed, base: BaseTree) -> tuple[Concern, ...]:
    """Requirements that changed files add and that the environment of their tests does not meet."""
    pristine, environment = base.tree, base.environment
    files = {path: new for path, new in changed.items() if declares_dependencies(path)}
    if not files:
        return ()
    elsewhere = (
        Concern(path, what) for path in files for what in _elsewhere(path, files, pristine)
    )
    first = sorted(files)[0]
    try:
        before = _declared(pristine, {})
        found = sorted(_unmet(before, _declared(pristine, files), environment))
    except InputError as error:
        return (Concern(first, f"dependencies that cannot be read: {error}"),)
    places = _places(files, before, base) if len(files) > 1 and found else {}
    return (*elsewhere, *(Concern(places.get(what, first), what) for what in found))


def _places(
    files: Mapping[str, bytes | None], before: Declared, base: BaseTree
) -> Mapping[str, str]:
    """What each of the files alone adds that is not met, with the first file that does."""
    places: dict[str, str] = {}
    for path in sorted(files, reverse=True):
        with contextlib.suppress(InputError):
            after = _declared(base.tree, {path: files[path]})
            places |= dict.fromkeys(_unmet(before, after, base.environment), path)
    return places


def _elsewhere(path: str, files: Mapping[str, bytes | None], pristine: Path) -> Iterator[str]:
    old = pristine / path
    known = set(old.read_bytes().splitlines()) if old.is_file() else set()
    for line in (files[path] or b"").splitlines():
        if line not in known and not line.lstrip().startswith(b"#") and _ELSEWHERE.search(line):
            yield f"takes a dependency from {line.decode(errors='replace').strip()[:60]}"


def _declared(pristine: Path, files: Mapping[str, bytes | None]) -> Declared:
    """What the tree declares once these files have their new contents. Raises InputError."""
    with tempfile.TemporaryDirectory(prefix="fixgate-") as scratch:
        tree = Path(scratch)
        for path in dependency_files(pristine):
            if path not in files:
                link_file(pristine / path, tree / path)
        write(Changes({path: new for path, new in files.items() if new is not None}), tree)
        return declared(tree)


def _unmet(before: Declared, after: Declared, environment: Environment) -> Iterator[str]:
    present = _pinned(environment.packages)
    for line in after.requirements - before.requirements:
        requirement = Requirement(line)
        package = canonicalize_name(requirement.name)
        if package in _OF_NO_EFFECT or not _applies(requirement, environment):
            continue
        version = present.get(package)
        if not _meets(version, requirement):
            yield f"needs {line}, tested with {version or 'none'}"
    locked = _pinned(before.pins)
    for name, version in _pinned(after.pins).items():
        matters = name in present and name not in _OF_NO_EFFECT
        if matters and version not in (present[name], locked.get(name)):
            yield f"locks {name}=={version}, tested with {present[name]}"


def _pinned(lines: tuple[str, ...] | frozenset[str]) -> Mapping[str, str]:
    pins = (line.partition("==") for line in lines)
    return {canonicalize_name(name): version.split(";")[0].strip() for name, _, version in pins}


def _meets(version: str | None, requirement: Requirement) -> bool:
    return version is not None and requirement.specifier.contains(version, prereleases=True)


def _applies(requirement: Requirement, environment: Environment) -> bool:
    """Whether a requirement holds for the environment's Python, as far as its marker says."""
    if requirement.marker is None:
        return True
    root = python_environment(environment).python.parent.parent
    found = (path.name for path in root.glob("lib/python3.*"))
    version = next(found, "python3").removeprefix("python")
    return requirement.marker.evaluate(
        {"python_version": version, "python_full_version": f"{version}.0", "extra": ""}
    )
