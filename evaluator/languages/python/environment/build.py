"""Builds environments from recipes, once for everyone who needs them."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from evaluator.environment.tools import ToolError, build_error
from evaluator.environment.types import Recipe, SharedDownloads
from evaluator.errors import EnvironmentBuildError, InputError
from evaluator.languages.python.environment.binaries import (
    OVERLAY_FORMAT,
    NoFittingReleaseError,
    Release,
    first_fitting,
)
from evaluator.languages.python.environment.bytecode import Bytecode
from evaluator.languages.python.environment.choice import (
    CHOICE_FORMAT,
    BuildChoice,
    ProjectBuildError,
    may_do_otherwise,
)
from evaluator.languages.python.environment.generated_sources import CYTHON, cython_commands
from evaluator.languages.python.environment.install import WHEEL, ProjectBuild
from evaluator.languages.python.environment.interpreter import (
    Interpreter,
    find_interpreters,
    of_its_time,
)
from evaluator.languages.python.environment.left_out import Dispensable, recipe_without
from evaluator.languages.python.environment.locales import installed_locales
from evaluator.languages.python.environment.project import Project, read_project, requirement_name
from evaluator.languages.python.environment.requirements import read_requirement_files
from evaluator.languages.python.environment.resolve import (
    Resolution,
    ResolutionRequest,
    requirers,
    resolve,
)
from evaluator.languages.python.environment.scripts import own_programs
from evaluator.languages.python.environment.services import prepared_services
from evaluator.languages.python.environment.types import (
    PythonEnvironment,
    PythonRecipe,
    python_recipe,
)
from evaluator.languages.python.environment.uv import Uv
from evaluator.languages.python.environment.virtual import python_of, virtual_environment
from evaluator.sandbox.protocol import Sandbox
from evaluator.storage.keys import short_key
from evaluator.storage.once import make_once

BUILD_TOOLS = ("setuptools", "wheel")
MORE_INTERPRETERS = 3
"""How many are tried where building for the first one fails, before one of the commit's time."""


class PythonBuilder:
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
        downloads: SharedDownloads | None = None,
        changed: Collection[str] = (),
    ) -> PythonEnvironment:
        """The environment of a recipe for a tree, built now or found in the cache.

        `date` is that of the instance: packages are resolved as of it unless the recipe says
        otherwise; without any date as of the first build. `tree` is a pristine checkout and is
        only read; `tree_key` stands for its content. `rebuild_compiled` builds compiled modules
        from this tree even where the recipe names a release's `binaries`. `downloads` has no say:
        packages come from their index, and no code of the tree writes into what uv keeps. No
        project below the root is left out that has one of the files `changed`.
        Raises InterpreterMissingError, and EnvironmentBuildError with the tool's last lines.
        """
        own = python_recipe(recipe)
        interpreters = find_interpreters(own)
        wanted, project = _wanted(own, date, tree)
        job = _Job(
            self._uv, own, project, wanted, interpreters, tree, tree_key, rebuild_compiled, changed
        )
        try:
            return job.build()
        except ToolError as error:
            message = f"the environment of {project.name or tree_key} cannot be built"
            raise build_error(message + self._remedy(error, project), error, recipe) from error

    def _remedy(self, error: ToolError, project: Project) -> str:
        """What to do about it, where it lies in what the project asks for."""
        if self._uv.offline:
            return " without network"
        if project.is_for_python_2:
            return "; it says that it is for Python 2, and fixgate runs Python 3"
        if isinstance(error, ProjectBuildError) or not may_do_otherwise(error):
            return ""
        asked = "; if its files ask for what no longer fits, write what does under `environment: "
        return f"{asked}packages` in .github/fixgate.yml"


@dataclass(frozen=True)
class _Job:
    """One call of `PythonBuilder.build`."""

    uv: Uv
    recipe: PythonRecipe
    project: Project
    wanted: ResolutionRequest
    interpreters: tuple[Interpreter, ...]
    tree: Path
    tree_key: str
    rebuild_compiled: bool
    changed: Collection[str]
    unbuilt: tuple[str, ...] = ()

    def build(self) -> PythonEnvironment:
        """Build for the first interpreter for which nothing fails to compile.

        That is one of the first, or the one of the commit's time. Where there is none, for one of
        these without those packages that fail to and can be done without, or else without compiled
        modules of the project's own, if these can. What is chosen gets kept, so that the same build
        does not fail again: for this tree alone where its own build had a say. Raises ToolError.
        """
        for tree_key in (self.tree_key, ""):
            kept = BuildChoice.kept(self.uv, self._choice_key(tree_key))
            if kept and self._dispensable.allows(kept):
                return self._chosen(kept).attempt()
        try:
            return self.attempt()
        except ToolError as error:
            if self.uv.offline or not may_do_otherwise(error):
                raise
            failures: list[_Failure] = []
            choice, built = self._otherwise(error, failures)
            own = any(isinstance(each, ProjectBuildError) for *_, each in failures)
            choice.keep(self.uv, self._choice_key(self.tree_key if own else ""))
            return built

    def _choice_key(self, tree_key: str) -> str:
        """What stands for all that a choice depends on."""
        versions = [interpreter.version for interpreter in self.interpreters]
        recipe = self.recipe
        asked = (recipe.install, recipe.optional_packages, recipe.compiled_is_optional)
        members = self._dispensable.members_key
        return short_key(CHOICE_FORMAT, versions, members, *self.wanted.parts, *asked, tree_key)

    def _otherwise(
        self, first: ToolError, failures: list[_Failure]
    ) -> tuple[BuildChoice, PythonEnvironment]:
        """Build in another way; `failures` gets what was tried in vain before."""
        others = self.interpreters[1:]
        period = of_its_time(others, self.wanted.date)
        failures.append((BuildChoice(self.interpreters[0].version), self, first))
        for interpreter in dict.fromkeys((*others[:MORE_INTERPRETERS], *period)):
            choice = BuildChoice(interpreter.version)
            job = self._chosen(choice)
            try:
                return choice, job.attempt()
            except ToolError as error:
                failures.append((choice, job, error))
        for failure in failures:
            with contextlib.suppress(ToolError):
                return self._without_optional(*failure)
        return self._without_compiled(first)

    def _without_compiled(self, first: ToolError) -> tuple[BuildChoice, PythonEnvironment]:
        choice = self._dispensable.without_compiled(self.interpreters[0].version, first)
        if choice is None:
            raise first
        try:
            return choice, self._chosen(choice).attempt()
        except ToolError as error:
            raise first from error

    def _without_optional(
        self, choice: BuildChoice, failed: _Job, first: ToolError
    ) -> tuple[BuildChoice, PythonEnvironment]:
        """Leave out one package after the other, with the projects that need it."""
        error = first
        while less := self._dispensable.one_less(choice, error, failed._requirers()):
            choice, failed = less, self._chosen(less)
            try:
                return choice, failed.attempt()
            except ToolError as another:
                error = another
        raise first

    @property
    def _dispensable(self) -> Dispensable:
        return Dispensable(self.recipe, self.tree, self.changed)

    def _requirers(self) -> Mapping[str, Collection[str]]:
        return requirers(self.uv, self.wanted, self.interpreters)

    def _chosen(self, choice: BuildChoice) -> _Job:
        chosen = tuple(i for i in self.interpreters if i.version == choice.version)
        without = (*self.wanted.without, *choice.unbuilt)
        return dataclasses.replace(
            self,
            recipe=recipe_without(self.recipe, self.tree, choice),
            wanted=dataclasses.replace(self.wanted, without=without),
            interpreters=chosen or self.interpreters,
            unbuilt=choice.unbuilt,
        )

    def attempt(self) -> PythonEnvironment:
        """Build what is wanted, for one of the interpreters. Raises ToolError."""
        resolution = resolve(self.uv, self.wanted, self.interpreters)
        environment = virtual_environment(self.uv, self.wanted, resolution)
        overlay = self._overlay(resolution)
        python = python_of(environment)
        programs = own_programs(self.uv.cache, self.project, python) if overlay else None
        services = prepared_services(
            self.uv, self.recipe, resolution.pins, self.tree, python.parent
        )
        laid = [path for path in (overlay, programs, *services.places) if path is not None]
        # What failed for want of a locale is run again once that is installed.
        beside = *services.parts, installed_locales()
        return PythonEnvironment(
            key=short_key(
                resolution.key, _content_keys(laid), *_used_in_runs(self.recipe), *beside
            ),
            python=python,
            own_programs=programs,
            date=self.wanted.date,
            recipe=self.recipe,
            packages=resolution.pins,
            visible=(
                environment,
                resolution.interpreter.prefix,
                *filter(None, [programs]),
                *services.places,
            ),
            overlays=((overlay,) if overlay else ()) + self._bytecode(resolution.interpreter),
            unbuilt=(*self.unbuilt, *self.recipe.without_packages),
            uncompiled=self.recipe.left_out,
            prepared=services.started,
            absent=services.absent,
        )

    def _bytecode(self, interpreter: Interpreter) -> tuple[Path, ...]:
        """What saves runs time and does not change what comes of them: not part of the key."""
        roots = self.recipe.import_roots
        return Bytecode(self.tree, self.tree_key, roots, interpreter).overlays(self.uv)

    def _overlay(self, resolution: Resolution) -> Path | None:
        recipe = self.recipe
        if recipe.binaries and not self.rebuild_compiled:
            with contextlib.suppress(NoFittingReleaseError):
                return self._of_release(resolution.interpreter)
        if recipe.binaries:
            return self._installed(resolution, WHEEL)
        return self._installed(resolution, recipe.install) if recipe.install else None

    def _of_release(self, interpreter: Interpreter) -> Path:
        names = self.recipe.binaries.split()
        releases = (Release(name, interpreter) for name in names)
        roots = self.recipe.import_roots
        return first_fitting(releases, self.uv, self.tree, self.tree_key, roots)

    def _installed(self, resolution: Resolution, install: str) -> Path:
        """The overlay that the project's own build leaves, for this very tree."""
        if install == WHEEL:
            project = self.project
            if cython_commands(self.tree):
                required = (*project.build_requires, CYTHON)
                project = dataclasses.replace(project, build_requires=required)
            wanted = with_build_tools(self.wanted, project, resolution.pins)
            resolution = resolve(self.uv, wanted, [resolution.interpreter])
        environment = virtual_environment(self.uv, self.wanted, resolution)
        step = ProjectBuild(
            self.recipe, self.project, self.tree, resolution.interpreter, environment
        )
        recipe = self.recipe
        steps = (install, recipe.pre_install, recipe.import_roots, sorted(recipe.variables.items()))
        key = short_key(self.tree_key, resolution.key, *steps, OVERLAY_FORMAT)
        shelf = self.uv.cache / "overlays"
        try:
            return make_once(shelf, key, lambda place: step.fill(self.uv, install, place))
        except ToolError as error:
            raise ProjectBuildError(error.log) from error


_Failure = tuple[BuildChoice, _Job, ToolError]
"""What was tried in vain, and why it failed."""


def _content_keys(directories: Iterable[Path]) -> str:
    """Directories under the cache are named by their content key and by chance."""
    return " ".join(directory.name.partition("-")[0] for directory in directories)


def with_build_tools(
    wanted: ResolutionRequest, project: Project, pins: tuple[str, ...]
) -> ResolutionRequest:
    """What a build from source needs: the same pins, and the project's build requirements.

    A package that is pinned already stays as it is, so that the modules are built against the
    very numpy that they will run with.
    """
    present = {requirement_name(pin) for pin in pins}
    if "numpy" in present:
        present.add(canonicalize_name("oldest-supported-numpy"))
    tools = [*project.build_requires, *BUILD_TOOLS]
    missing = [line for line in tools if requirement_name(line) not in present]
    return dataclasses.replace(wanted, requirements=(*pins, *dict.fromkeys(missing)))


def _wanted(
    recipe: PythonRecipe, date: datetime.date | None, tree: Path
) -> tuple[ResolutionRequest, Project]:
    try:
        project = read_project(tree)
        beside = (*recipe.packages, *recipe.additional_packages)
        requirements, constraints = read_requirement_files(tree, recipe.requirement_files, beside)
    except InputError as error:
        raise EnvironmentBuildError(str(error), recipe=str(recipe)) from error
    wanted = ResolutionRequest(
        requirements=(*beside, *requirements),
        date=recipe.resolve_as_of or date,
        constraints=constraints,
        newer=recipe.newer_packages,
        without=tuple(
            map(canonicalize_name, [*filter(None, [project.name]), *recipe.without_packages])
        ),
    )
    return wanted, project


def _used_in_runs(recipe: PythonRecipe) -> tuple[object, ...]:
    """The parts of a recipe that matter once the environment is built."""
    services = [
        (s.name, s.command, sorted(s.variables.items()), *filter(None, [s.port]))
        for s in recipe.services
    ]
    variables = sorted(recipe.variables.items())
    return recipe.framework, recipe.import_roots, recipe.test_arguments, variables, services
