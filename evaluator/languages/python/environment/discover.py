"""Finds out from a project's own files how it is installed and tested."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name

from evaluator.environment.configuration import read_configuration
from evaluator.languages.python.environment.automation import path_of_tox
from evaluator.languages.python.environment.install import METADATA, WHEEL
from evaluator.languages.python.environment.members import members
from evaluator.languages.python.environment.needed_by_tests import needed_by_tests
from evaluator.languages.python.environment.project import Project, read_project, requirement_name
from evaluator.languages.python.environment.requirements import (
    LOCKS,
    local_projects,
    read_requirement_files,
)
from evaluator.languages.python.environment.services import services_for
from evaluator.languages.python.environment.static import called, imported, parse, text_of
from evaluator.languages.python.environment.suites import SETTINGS, Suite, suite_of
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.languages.python.environment.workflows import (
    DatabaseInWorkflows,
    database_in_workflows,
)

PYTHONS = tuple(f"3.{minor}" for minor in range(13, 5, -1))
USUAL = "3.11"
COMPILING_BACKENDS = {"meson-python", "scikit-build", "scikit-build-core", "maturin"}
COMPILING_BACKENDS |= {"setuptools-rust", "extension-helpers"}
_OPTIONAL = re.compile(
    r"\boptional\s*=\s*True|(?i:no_extensions?|without_ext)|\bBuildFailed\b|\bCCompilerError\b"
)
"""What a setup.py holds that goes on without the modules that it could not compile."""
EXTENSION_CALLS = {"Extension", "cythonize", "get_extensions", "RustExtension"}


def discover_recipe(tree: Path) -> PythonRecipe:
    """A recipe for a project that fixgate does not know, from its files alone.

    What `.github/fixgate.yml` sets is taken as it is; everything else is found: Python versions,
    dependencies and those of its tests, framework, import roots. No code of the project runs.
    Raises InputError where a file that must be read is broken.
    """
    given = read_configuration(tree, "python")
    told = database_in_workflows(tree)
    recipe = _with_members(_described(tree, given, told), tree, told)
    variables = {**recipe.variables, **given.get("variables", {})}
    needed = {"optional_packages": (), "compiled_is_optional": False} if given else {}
    return dataclasses.replace(recipe, **{**given, **needed, "variables": variables})


def _described(tree: Path, given: Mapping[str, Any], told: DatabaseInWorkflows) -> PythonRecipe:
    """The recipe for the project at the root of a tree, of whose workflows `told` was read."""
    project = read_project(tree)
    needed = needed_by_tests(tree, project)
    for_tests = (*project.with_extras(needed.extras), *needed.packages)
    own = (*project.dependencies, *for_tests)
    listed, _ = read_requirement_files(tree, needed.files)
    # What no test says that it needs may still be imported by one, and be installed then.
    clients = (*own, *project.with_extras(project.extras))
    suite = suite_of(tree, (*own, *listed))
    if "framework" in given:
        suite = dataclasses.replace(suite, framework=given["framework"])
    roots = [project.source_root, *project.more_roots, *path_of_tox(tree)]
    if suite.root:
        roots.append(suite.root)
    return PythonRecipe(
        python=_python_versions(project),
        framework=suite.framework,
        packages=_with_framework(own, listed, suite),
        requirement_files=(*needed.files, *(name for name in LOCKS if (tree / name).is_file())),
        install=_install(tree, project),
        import_roots=tuple(dict.fromkeys(roots)),
        variables={SETTINGS: suite.settings} if suite.settings else {},
        services=services_for([project.name, *map(requirement_name, (*clients, *listed))], told),
        optional_packages=_optional(
            (*for_tests, *listed),
            (*project.dependencies, *read_requirement_files(tree, needed.plain)[0]),
        ),
        source=_source(tree, given),
        compiled_is_optional=bool(_OPTIONAL.search(text_of(tree / "setup.py"))),
    )


def _with_members(recipe: PythonRecipe, tree: Path, told: DatabaseInWorkflows) -> PythonRecipe:
    """The same with what the projects below a tree need.

    Their modules are imported from their sources. Those with compiled modules are left out: nothing
    is built here, and without these a package can be imported in part, and breaks who tries it.
    """
    folders = dict.fromkeys((*members(tree), *local_projects(tree, recipe.requirement_files)))
    described = ((folder, _described(tree / folder, {}, told)) for folder in folders)
    found = [(f, m) for f, m in described if m.install != WHEEL and not _has_cython(tree / f)]
    needed = {*_names(recipe, tree)} - {*recipe.optional_packages}
    for folder, member in found:
        optional = {*recipe.optional_packages, *_names(member, tree / folder)} - needed
        files = (f"{folder}/{file}" for file in member.requirement_files)
        roots = (f"{folder}/{root}".rstrip("/") for root in member.import_roots)
        recipe = dataclasses.replace(
            recipe,
            python=tuple(v for v in recipe.python if v in member.python) or recipe.python,
            packages=tuple(dict.fromkeys((*recipe.packages, *member.packages))),
            requirement_files=(*recipe.requirement_files, *files),
            import_roots=(*recipe.import_roots, *roots),
            services=recipe.services or member.services,
            optional_packages=tuple(sorted(optional)),
        )
    names = (read_project(tree / folder).name for folder, _ in found)
    own = {canonicalize_name(name) for name in names if name}
    packages = tuple(line for line in recipe.packages if requirement_name(line) not in own)
    install = recipe.install or (METADATA if found else "")
    return dataclasses.replace(recipe, packages=packages, install=install)


def _optional(for_tests: Iterable[str], needed: Iterable[str]) -> tuple[str, ...]:
    """The names of what only tests need."""
    return tuple(sorted({*map(requirement_name, for_tests)} - {*map(requirement_name, needed)}))


def _names(recipe: PythonRecipe, tree: Path) -> Iterator[str]:
    """The names of all that a recipe for a tree asks for."""
    listed, _ = read_requirement_files(tree, recipe.requirement_files)
    return map(requirement_name, (*recipe.packages, *listed))


def with_own_dependencies(recipe: PythonRecipe, tree: Path) -> PythonRecipe:
    """A recipe with those dependencies that the tree itself declares and the recipe does not name.

    A recipe for a version corrects what its commits declare; it cannot replace what one of them
    alone needs. Raises InputError where a file that must be read is broken.
    """
    requirements, _ = read_requirement_files(tree, recipe.requirement_files)
    named = {requirement_name(line) for line in (*recipe.packages, *requirements)}
    missing = [
        line for line in read_project(tree).dependencies if requirement_name(line) not in named
    ]
    return dataclasses.replace(recipe, packages=(*recipe.packages, *missing))


def _source(tree: Path, given: Mapping[str, Any]) -> str:
    names = ("pyproject.toml", "setup.cfg", "setup.py", "Pipfile", "tox.ini", "noxfile.py")
    read = [name for name in names if (tree / name).is_file()]
    return ", ".join([".github/fixgate.yml"] * bool(given) + read) or "the tree"


def _python_versions(project: Project) -> tuple[str, ...]:
    """Versions that the project allows: those nearest to the newest that it was tested with."""
    pattern = r"Programming Language :: Python :: (3\.\d+)$"
    declared = {m[1] for line in project.classifiers if (m := re.match(pattern, line.strip()))}
    newest = max(declared, key=_minor, default=USUAL)
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


def _with_framework(
    packages: Iterable[str], listed: Iterable[str], suite: Suite
) -> tuple[str, ...]:
    """The packages, and those of the framework that neither they nor requirement files name."""
    present = {requirement_name(package) for package in (*packages, *listed)}
    return tuple(dict.fromkeys([*packages, *(p for p in suite.packages if p not in present)]))


def _install(tree: Path, project: Project) -> str:
    """`wheel` where the project has compiled modules of its own, else `metadata`."""
    if not project.name and not (tree / "setup.py").is_file():
        return ""
    backends = {requirement_name(line) for line in project.build_requires}
    if backends & COMPILING_BACKENDS or _builds_extensions(tree):
        return WHEEL
    return METADATA


def _has_cython(folder: Path) -> bool:
    return any(folder.rglob("*.pyx"))


def _builds_extensions(tree: Path) -> bool:
    """Whether setup.py, or a module beside it that it takes them from, defines extensions."""
    setup = parse(tree / "setup.py")
    names = sorted({"setupext", "extensions", *imported(setup)})
    beside = [parse(tree / f"{name}.py") for name in names]
    return any(called(module) & EXTENSION_CALLS for module in (setup, *beside))
