"""What differs between languages: one value of small parts each; everything else knows none."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from evaluator.diff.block_edit import BlockEditor
from evaluator.diff.types import Changes
from evaluator.environment.types import Addition, Environment, Recipe, SharedDownloads
from evaluator.languages.failures import Failures
from evaluator.languages.safeguards import Safeguards
from evaluator.languages.sources import Sources, TestCode
from evaluator.model import Run, TestOutcome
from evaluator.sandbox.protocol import ResourceLimits, Sandbox


class TestFiles(Protocol):
    """Which files are tests, by their paths relative to the repository alone."""

    @property
    def produced(self) -> frozenset[str]:
        """Names of directories that tools leave behind in a tree: caches, compiled files."""
        ...

    def is_test(self, path: str) -> bool:
        """Whether a file belongs to a project's tests: a test, its helpers, or its data."""
        ...

    def is_runnable(self, path: str) -> bool:
        """Whether a test framework can be given a file, where it is one of the tests."""
        ...


class Builder(Protocol):
    """Builds environments and keeps them, safe for many threads and processes at once."""

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
    ) -> Environment:
        """The environment of a recipe for a tree, built now or found in the cache.

        Packages are resolved as of `date`, without any as of the first build. `tree` is a pristine
        checkout and is only read; `tree_key` stands for its content. With `rebuild_compiled`,
        compiled files come from this tree, never from a release. `downloads` says which others it
        may share downloads with, none where it is None. `changed` are the files of which a change
        is judged: no code beside them may be left out. Raises EnvironmentBuildError.
        """
        ...


class Environments(Protocol):
    """How a repository of the language is installed."""

    def read_fields(self, table: Mapping[str, Any]) -> Mapping[str, Any]:
        """Checked values for the fields of a recipe that a repository sets for itself.

        `table` is `environment` in its `.github/fixgate.yml`. Raises FieldError.
        """
        ...

    def discover(self, tree: Path) -> Recipe:
        """The recipe of a tree, from its own files alone. Raises InputError where one is broken."""
        ...

    def recipe(self, repo: str, version: str, tree: Path) -> Recipe:
        """The recipe that comes with fixgate for `owner/name` at a version, else as discovered.

        An empty `version` is read from the tree. Raises InputError.
        """
        ...

    def lacking(self, environment: Environment, outcome: TestOutcome, tree: Path) -> str:
        """What a test could not be loaded without, that `tree` need not have: `module toml`.

        "" where it lacked nothing, or that is not known.
        """
        ...

    def additions(self, environment: Environment, run: Run, tree: Path) -> Sequence[Addition]:
        """What may give a run of tests on `tree` what kept some of them from being loaded.

        Only what the files of `tree` themselves ask for, best first; nothing where that is not
        known. Each addition is to be tried alone.
        """
        ...

    def is_compiled(self, path: str) -> bool:
        """Whether a change of a file needs an environment of its own."""
        ...

    def is_outdated(self, environment: Environment, paths: Iterable[str]) -> bool:
        """Whether an environment holds what its build made of files that change.

        Asked of changes of which no file `is_compiled`.
        """
        ...

    def changed(
        self, environment: Environment, cache: Path, tree: Path, fix: Changes
    ) -> Environment:
        """The environment of a base with what a change of it says of the project itself.

        `tree` is the base; no package comes or goes by the change. What is written lies under
        `cache`.
        """
        ...

    def builder(
        self,
        cache: Path,
        *,
        sandbox: Sandbox,
        index_url: str | None = None,
        ca_bundle: Path | None = None,
        offline: bool = False,
    ) -> Builder:
        """What builds environments under `cache`; foreign code runs only in `sandbox`.

        `index_url` replaces the default package index, `ca_bundle` names certificates to trust
        for it, and `offline` forbids the network altogether.
        """
        ...


class Framework(Protocol):
    """One way of running test files.

    `runner` is the part of the language's probe that runs the tests; `variables` are set for it.
    """

    @property
    def runner(self) -> str:
        """The probe's part that runs the tests."""
        ...

    @property
    def variables(self) -> Mapping[str, str]:
        """Environment variables."""
        ...

    def selects(self, path: str, tree: Path) -> bool:
        """Whether a file (relative to the tree) is something that this framework can run."""
        ...

    def label(self, path: str, import_roots: Sequence[str]) -> str:
        """What the framework is given for a file; see `Recipe.import_roots`."""
        ...

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """The arguments of the framework's command, `extra` being those of the recipe."""
        ...

    def program(self) -> tuple[str, ...]:
        """The framework's own command, for reproducing a run by hand from the tree."""
        ...


class Runner(Protocol):
    """What runs tests inside the sandbox and reports as `evaluator.probe_results` reads it."""

    @property
    def probe(self) -> Path:
        """The directory that the sandbox shows; see `Environment.launch`."""
        ...

    @property
    def digest(self) -> str:
        """Of all code of the language that has a say in a run's results."""
        ...

    def forget_compiled(self, tree: Path, path: str) -> None:
        """Remove compiled forms of a source, which would run without being counted."""
        ...


class ChangeCompiler(Protocol):
    """What compiles a tree's changes once for all runs of its tests."""

    def __call__(
        self,
        environment: Environment,
        tree: Path,
        place: Path,
        *,
        sandbox: Sandbox,
        limits: ResourceLimits,
    ) -> Environment:
        """An environment for such runs, with what was compiled in `place`, an empty directory.

        `limits` are those of a run. Raises SandboxError.
        """
        ...


@dataclass(frozen=True)
class Language:
    """One language that tests and code are written in.

    `name` is what datasets and recipes call it; `suffixes` are those of its source files (`.py`).
    `frameworks` are by the names that recipes use.
    `compiler` is None where nothing is compiled, or each run does it.
    `blocks` edits its files in the block format, of which others can only be created and added to.
    Parts that a language does not give say that nothing is known: see `sources`, `failures` and
    `safeguards`.
    """

    name: str
    suffixes: tuple[str, ...]
    tests: TestFiles
    environments: Environments
    frameworks: Mapping[str, Framework]
    runner: Runner
    compiler: ChangeCompiler | None = None
    sources: Sources = field(default_factory=Sources)
    test_code: TestCode = field(default_factory=TestCode)
    failures: Failures = field(default_factory=Failures)
    safeguards: Safeguards = field(default_factory=Safeguards)
    blocks: BlockEditor | None = None
