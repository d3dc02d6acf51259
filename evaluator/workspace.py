"""What judging needs of this machine, put together: mirrors, trees, environments, a sandbox."""

from __future__ import annotations

import contextlib
import datetime
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from evaluator.checkout import Repositories, Trees
from evaluator.compiling import CompiledTrees
from evaluator.diff import Application, ChangedLines, Changes, Source, apply
from evaluator.environment.types import Environment, Recipe, SharedDownloads
from evaluator.errors import CheckoutError, EnvironmentBuildError, PatchError
from evaluator.execution import Executor, Subject
from evaluator.languages import language
from evaluator.languages.protocol import Builder
from evaluator.model import Revision
from evaluator.regressions.contexts import ContextStore
from evaluator.sandbox.observed import ObservedSandbox
from evaluator.sandbox.protocol import ResourceLimits, Sandbox
from evaluator.shell import Shell, stamps
from evaluator.steps import JudgingStep, Observe, unobserved
from evaluator.storage.runs import RunCache

RecipeFor = Callable[[Path], Recipe]
"""Finds the recipe of a repository from its pristine tree."""


def default_cache() -> Path:
    """The user's cache directory for fixgate."""
    return Path(platformdirs.user_cache_dir("fixgate"))


@dataclass(frozen=True)
class WorkspaceSettings:
    """Settings of a workspace; directories are created when first used.

    `repositories` are templates (see `evaluator.checkout.Repositories`).
    """

    repositories: tuple[str, ...]
    cache: Path
    limits: ResourceLimits
    index_url: str | None = None
    ca_bundle: Path | None = None
    offline: bool = False
    side_by_side: bool = True


class Workspace:
    """Turns a repository, a commit and a fix into a subject that tests can be run on."""

    def __init__(
        self, settings: WorkspaceSettings, sandbox: Sandbox, observe: Observe = unobserved
    ) -> None:
        # Whatever the umask says: what lies there is code that will be run, and other people's.
        settings.cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.sandbox = sandbox
        self.observe = observe
        self._settings = settings
        self.limits = settings.limits
        self.cache = settings.cache
        self.offline = settings.offline
        self.repositories = Repositories(settings.repositories, settings.cache)
        self.trees = Trees(self.repositories, settings.cache)
        self.executor = Executor(
            sandbox,
            self.trees,
            RunCache(settings.cache / "runs"),
            CompiledTrees(sandbox, settings.cache / "compiled"),
            limits=settings.limits,
            side_by_side=settings.side_by_side,
            observe=observe,
        )
        self.contexts = ContextStore(settings.cache / "contexts")

    def subject(
        self,
        repo: str,
        commit: str,
        fix: str,
        recipe_for: RecipeFor,
        date: datetime.datetime | None = None,
    ) -> Subject:
        """Lay down R, apply the fix to it, and build the environments of both sides.

        Packages are resolved as of the commit's own date, or `date` where that is later: a commit
        may ask for a release that came out after the issue was opened. Raises CheckoutError,
        PatchError (the fix does not apply) or EnvironmentBuildError.
        """
        source = self.repositories.find(repo, commit).source(commit)
        put = applied(fix, source)
        return self._subject(repo, commit, put.changes, put.lines, recipe_for, date)

    def exact_subject(
        self,
        repo: str,
        commit: str,
        fix: Changes,
        lines: ChangedLines,
        recipe_for: RecipeFor,
    ) -> Subject:
        """Lay down R and build the environments of both sides of a fix whose contents are known.

        Packages are resolved as of the commit's own date. Raises CheckoutError, also where the
        repository lacks a file of R, or EnvironmentBuildError.
        """
        absent = self.trees.absent(self._pristine(repo, commit))
        if absent:
            more = f" and of {len(absent) - 1} more files" if len(absent) > 1 else ""
            raise CheckoutError(
                f"{repo} at {commit}: the repository lacks the content of {absent[0]!r}{more}; "
                "complete it, for example by a clone without a filter"
            )
        return self._subject(repo, commit, fix, lines, recipe_for, None)

    def base(
        self,
        repo: str,
        commit: str,
        recipe_for: RecipeFor,
        date: datetime.datetime | None = None,
    ) -> Subject:
        """R alone, with no fix: what somebody who writes tests works on.

        Raises CheckoutError or EnvironmentBuildError.
        """
        mirror = self.repositories.find(repo, commit)
        pristine = self._pristine(repo, commit)
        recipe = recipe_for(pristine)
        with self.observe(JudgingStep.ENVIRONMENT):
            environment = self._builder(recipe).build(
                recipe,
                date=_later(mirror.date(commit), date).date(),
                tree=pristine,
                tree_key=self.trees.key(pristine),
                rebuild_compiled=False,
                downloads=SharedDownloads(repo, trusted=True),
            )
        return Subject(
            repo,
            commit,
            pristine,
            mirror.source(commit),
            Changes(),
            ChangedLines({}, {}),
            dict.fromkeys(Revision, environment),
        )

    def _subject(
        self,
        repo: str,
        commit: str,
        fix: Changes,
        lines: ChangedLines,
        recipe_for: RecipeFor,
        date: datetime.datetime | None,
    ) -> Subject:
        mirror = self.repositories.find(repo, commit)
        pristine = self._pristine(repo, commit)
        with self.observe(JudgingStep.ENVIRONMENT):
            environments = self._environments(
                repo, recipe_for(pristine), _later(mirror.date(commit), date).date(), pristine, fix
            )
        return Subject(repo, commit, pristine, mirror.source(commit), fix, lines, environments)

    @contextlib.contextmanager
    def shell(
        self, subject: Subject, changes: Changes, *, repository: bool = False
    ) -> Iterator[Shell]:
        """A work tree of R with some changes, in which commands can be run one after the other.

        With `repository`, git knows the tree of R there as one commit, without any history.
        """
        overlays = subject.environments[Revision.BASE].overlays
        with self.trees.work_tree(subject.pristine, overlays, changes) as tree:
            if repository:
                self.trees.lay_repository(subject.pristine, overlays, tree)
            scratch = tree.with_name("scratch")
            scratch.mkdir()
            yield Shell(self.sandbox, subject, tree, self.limits, stamps(tree), scratch)

    def _pristine(self, repo: str, commit: str) -> Path:
        with self.observe(JudgingStep.CHECKOUT):
            return self.trees.pristine(repo, commit)

    def _builder(self, recipe: Recipe) -> Builder:
        settings = self._settings
        return language(recipe.language).environments.builder(
            settings.cache,
            sandbox=ObservedSandbox(self.sandbox, self.observe),
            index_url=settings.index_url,
            ca_bundle=settings.ca_bundle,
            offline=settings.offline,
        )

    def _environments(
        self, repo: str, recipe: Recipe, date: datetime.date, pristine: Path, fix: Changes
    ) -> Mapping[Revision, Environment]:
        tree_key = self.trees.key(pristine)
        known = language(recipe.language).environments
        build = functools.partial(
            self._builder(recipe).build, recipe, date=date, changed=fix.contents
        )
        trusted = SharedDownloads(repo, trusted=True)
        of_base = functools.partial(build, tree=pristine, tree_key=tree_key, downloads=trusted)
        compiles = any(map(known.is_compiled, fix.contents))
        base = of_base(rebuild_compiled=compiles)
        if not compiles and not known.is_outdated(base, fix.contents):
            fixed = known.changed(base, self._settings.cache, pristine, fix)
            return {Revision.BASE: base, Revision.FIXED: fixed}
        if not compiles:  # Both sides in the same way.
            base = of_base(rebuild_compiled=True)
        with self.trees.work_tree(pristine, (), fix) as tree:
            fixed = build(
                tree=tree,
                tree_key=f"{tree_key}+{fix.digest}",
                rebuild_compiled=True,
                downloads=SharedDownloads(repo, trusted=False),
            )
        _refuse_lacking(base, fixed)
        return {Revision.BASE: base, Revision.FIXED: fixed}


def _refuse_lacking(base: Environment, fixed: Environment) -> None:
    """Raise EnvironmentBuildError where code or a package is left out with a change only."""
    before, lacked = {e.place for e in base.uncompiled}, set(map(_of_no_version, base.unbuilt))
    said = [
        *(
            f"{name} cannot be installed"
            for name in fixed.unbuilt
            if _of_no_version(name) not in lacked
        ),
        *(
            f"{each.place} cannot be compiled: {each.reason}"
            for each in fixed.uncompiled
            if each.place not in before
        ),
    ]
    if said:
        raise EnvironmentBuildError(f"with the change, {said[0]}", recipe=str(fixed.recipe))


def _of_no_version(package: str) -> str:
    """What a package is called: the version of Maven's is the last part of its coordinates."""
    return package.rpartition(":")[0] or package


def _later(committed: datetime.datetime, date: datetime.datetime | None) -> datetime.datetime:
    return committed if date is None else max(committed, date)


def applied(fix: str, source: Source) -> Application:
    """The fix applied; raises PatchError with the reasons where it does not apply."""
    application = apply(fix, source)
    if not application.well_formed:
        raise PatchError(f"the fix does not apply: {'; '.join(rejections(application))}")
    return application


def rejections(application: Application) -> Sequence[str]:
    """What could not be applied and why, in words."""
    refused = [part for part in application.parts if not part.applied]
    return [f"{part.path}: {part.reason}" if part.path else part.reason for part in refused]
