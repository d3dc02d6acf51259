"""Builds environments from recipes, once for everyone who needs them."""

from __future__ import annotations

import dataclasses
import datetime
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from evaluator.environment.binaries import release_overlay
from evaluator.environment.install import WHEEL, Installation
from evaluator.environment.interpreter import find_interpreter
from evaluator.environment.once import content_key, make_once
from evaluator.environment.project import Project, read_project
from evaluator.environment.requirements import read_requirement_files
from evaluator.environment.resolve import Wanted, resolve
from evaluator.environment.types import Environment, Recipe
from evaluator.environment.uv import ToolError, Uv, build_error
from evaluator.environment.virtual_environment import (
    environment_key,
    python_of,
    virtual_environment,
)
from evaluator.errors import EnvironmentBuildError, InputError
from evaluator.sandbox.protocol import Sandbox

BUILD_TOOLS = ("setuptools", "wheel")


class Environments:
    """Builds environments and keeps them under `cache`, safe for many processes at once.

    What was built once is found again without network, also with `offline=True`, which forbids
    uv the network altogether. `index_url` replaces the default package index, `ca_bundle` names
    certificates to trust for it. Foreign code runs only in `sandbox`.
    """

    def __init__(
        self,
        cache: Path,
        *,
        sandbox: Sandbox,
        index_url: str | None = None,
        ca_bundle: Path | None = None,
        offline: bool = False,
    ) -> None:
        self._uv = Uv(cache.resolve(), sandbox, index_url, ca_bundle, offline)

    def build(
        self,
        recipe: Recipe,
        *,
        date: datetime.date | None,
        tree: Path,
        tree_key: str,
        rebuild_compiled: bool = False,
    ) -> Environment:
        """The environment of a recipe for a tree, built now or found in the cache.

        `date` is that of the instance: packages are resolved as of it unless the recipe says
        otherwise; without any date as of the first build. `tree` is a pristine checkout and is
        only read; `tree_key` stands for its content. `rebuild_compiled` builds compiled modules
        from this tree even where the recipe names a release's `binaries`.
        Raises InterpreterMissingError, and EnvironmentBuildError with the tool's last lines.
        """
        wanted, project = _wanted(recipe, date, tree)
        try:
            return self._build(wanted, project, recipe, tree, tree_key, rebuild_compiled)
        except ToolError as error:
            message = f"the environment of {project.name or tree_key} cannot be built"
            offline = " without network" if self._uv.offline else ""
            raise build_error(message + offline, error, recipe) from error

    def _build(
        self,
        wanted: Wanted,
        project: Project,
        recipe: Recipe,
        tree: Path,
        tree_key: str,
        rebuild_compiled: bool,
    ) -> Environment:
        pins = resolve(self._uv, wanted)
        environment = virtual_environment(self._uv, wanted, pins)
        overlay: Path | None = None
        if recipe.binaries and not rebuild_compiled:
            overlay = release_overlay(
                self._uv, recipe.binaries, wanted.interpreter, tree, recipe.import_roots
            )
        elif recipe.install or recipe.binaries:
            overlay = self._install(wanted, project, recipe, tree, tree_key, pins)
        # Names of directories under the cache hold the content key, but also chance.
        parts = (environment_key(wanted.interpreter, pins), _shelf_key(overlay), repr(recipe))
        return Environment(
            key=content_key(*parts),
            python=python_of(environment),
            recipe=recipe,
            packages=pins,
            visible=(environment, wanted.interpreter.prefix),
            overlay=overlay,
        )

    def _install(
        self,
        wanted: Wanted,
        project: Project,
        recipe: Recipe,
        tree: Path,
        tree_key: str,
        pins: tuple[str, ...],
    ) -> Path:
        install = recipe.install if recipe.install and not recipe.binaries else WHEEL
        if install == WHEEL:
            wanted = with_build_tools(wanted, project, pins)
            pins = resolve(self._uv, wanted)
        environment = virtual_environment(self._uv, wanted, pins)
        step = Installation(recipe, project, tree, wanted.interpreter, environment)
        steps = (install, recipe.pre_install, recipe.import_roots, sorted(recipe.variables.items()))
        key = content_key(tree_key, environment_key(wanted.interpreter, pins), *steps)
        return make_once(
            self._uv.cache / "overlays", key, lambda place: step.fill(self._uv, install, place)
        )


def with_build_tools(wanted: Wanted, project: Project, pins: tuple[str, ...]) -> Wanted:
    """What a build from source needs: the same pins, and the project's build requirements.

    A package that is pinned already stays as it is, so that the modules are built against the
    very numpy that they will run with.
    """
    present = {canonicalize_name(Requirement(pin).name) for pin in pins}
    if "numpy" in present:
        present.add(canonicalize_name("oldest-supported-numpy"))
    tools = [*project.build_requires, *BUILD_TOOLS]
    missing = [line for line in tools if canonicalize_name(Requirement(line).name) not in present]
    return dataclasses.replace(wanted, requirements=(*pins, *dict.fromkeys(missing)))


def _wanted(recipe: Recipe, date: datetime.date | None, tree: Path) -> tuple[Wanted, Project]:
    interpreter = find_interpreter(recipe)
    try:
        project = read_project(tree)
        requirements, constraints = read_requirement_files(tree, recipe.requirement_files)
    except InputError as error:
        raise EnvironmentBuildError(str(error), recipe=str(recipe)) from error
    wanted = Wanted(
        interpreter=interpreter,
        requirements=(*recipe.packages, *requirements),
        date=recipe.resolve_as_of or date,
        constraints=constraints,
        newer=recipe.newer_packages,
        without=canonicalize_name(project.name) if project.name else "",
    )
    return wanted, project


def _shelf_key(overlay: Path | None) -> str:
    """The content key in the name of a directory made by `make_once`."""
    return overlay.name.partition("-")[0] if overlay else ""
