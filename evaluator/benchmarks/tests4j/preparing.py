"""A repository made ready: its tests removed, everything else compiled, coverage at hand."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot
from evaluator.benchmarks.tests4j.excluding import excluded
from evaluator.benchmarks.tests4j.stripping import strip_repository
from evaluator.diff import Changes
from evaluator.environment.types import SharedDownloads, Uncompiled
from evaluator.errors import CheckoutError
from evaluator.languages.java.coverage.tool import CoverageTool
from evaluator.languages.java.environment.build import JavaBuilder
from evaluator.languages.java.environment.discover import discover_recipe
from evaluator.languages.java.environment.types import JavaEnvironment
from evaluator.languages.java.test_files import JavaTests
from evaluator.workspace import Workspace


@dataclass(frozen=True)
class Unit:
    """Sources that are compiled and run together: a module's code, or its tests.

    `left_out` says why nothing of them is compiled, "" where they are.
    """

    name: str
    test: bool
    roots: tuple[str, ...]
    directory: str = ""
    left_out: str = ""

    def holds(self, path: str) -> bool:
        """Whether a file of the repository is one of its sources."""
        return any(not root or path.startswith(f"{root}/") for root in self.roots)


@dataclass(frozen=True)
class StrippedRepository:
    """A repository without its tests, and without what the dataset excludes.

    `stripped` are the files that are another way now, or gone.
    """

    snapshot: RepositorySnapshot
    pristine: Path
    stripped: Changes

    def source(self, path: str) -> bytes:
        """A file of the repository without its tests. Raises CheckoutError where there is none."""
        try:
            kept = (self.pristine / path).read_bytes()
        except OSError:
            kept = None
        content = self.stripped.contents.get(path, kept)
        if content is None:
            name = self.snapshot.name
            raise CheckoutError(f"{name} at {self.snapshot.commit} has no file {path}")
        return content


@dataclass(frozen=True)
class PreparedRepository(StrippedRepository):
    """One that is compiled, with what measures its tests."""

    environment: JavaEnvironment
    coverage: CoverageTool
    mutator: Path
    units: tuple[Unit, ...]

    def test_unit(self, path: str) -> Unit | None:
        """The tests that a file belongs to; None where Maven compiles it with none."""
        return next((each for each in self.units if each.test and each.holds(path)), None)

    def left_out(self, method: FocalMethod) -> Uncompiled | None:
        """What the repository is built without of where a method or its tests stand, and why."""
        for path in (method.focal_path, method.test_path):
            for unit in self.units:
                if unit.left_out and unit.holds(path):
                    return Uncompiled(unit.directory or ".", unit.left_out)
            for each in self.environment.uncompiled:
                if each.place == path:
                    return each
        return None

    @property
    def classes(self) -> tuple[Path, ...]:
        """Directories of the compiled code."""
        own = (self.environment.classes / each.name for each in self.units if not each.test)
        return tuple(each for each in own if each.is_dir())


def strip(workspace: Workspace, snapshot: RepositorySnapshot) -> StrippedRepository:
    """Lay the commit down, and find out what it is without its tests.

    What the dataset excludes goes as well; poms do not name it as modules any more. Raises
    CheckoutError.
    """
    pristine = workspace.trees.pristine(snapshot.name, snapshot.commit)
    left_out = excluded(files_of(pristine), pristine, snapshot.exclude)
    changes = Changes({**strip_repository(_test_sources(pristine)), **left_out})
    return StrippedRepository(snapshot, pristine, changes)


def prepare(workspace: Workspace, snapshot: RepositorySnapshot) -> PreparedRepository:
    """Compile a repository without its tests, or find this done before.

    Raises CheckoutError and EnvironmentBuildError.
    """
    found = strip(workspace, snapshot)
    builder, environment = built(workspace, snapshot.name, found.pristine, found.stripped)
    return PreparedRepository(
        snapshot,
        found.pristine,
        found.stripped,
        environment,
        builder.coverage(environment),
        builder.mutator(environment),
        units_of(environment),
    )


def built(
    workspace: Workspace, repo: str, pristine: Path, changes: Changes
) -> tuple[JavaBuilder, JavaEnvironment]:
    """A tree with some changes compiled, and what compiled it.

    Raises CheckoutError and EnvironmentBuildError.
    """
    builder = JavaBuilder(workspace.cache, sandbox=workspace.sandbox, offline=workspace.offline)
    with workspace.trees.work_tree(pristine, (), changes) as tree:
        environment = builder.build(
            discover_recipe(tree),
            date=None,
            tree=tree,
            tree_key=f"{workspace.trees.key(pristine)}+{changes.digest}",
            downloads=SharedDownloads(repo, trusted=True),
        )
    return builder, environment


def _test_sources(tree: Path) -> Mapping[str, bytes]:
    return {
        path: (tree / path).read_bytes()
        for path in files_of(tree)
        if path.endswith(".java") and JavaTests().is_test(path)
    }


def files_of(tree: Path) -> Iterator[str]:
    """The paths of the regular files of a tree."""
    for directory, _, names in os.walk(tree):
        for name in names:
            path = Path(directory, name)
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(tree).as_posix()


def units_of(environment: JavaEnvironment) -> tuple[Unit, ...]:
    """The units that a repository consists of."""
    project = json.loads(environment.project.read_text(encoding="utf-8"))
    return tuple(
        Unit(
            name=each["name"],
            test=each["test"],
            roots=tuple(each["roots"]),
            directory=each["directory"],
            left_out=each.get("left_out", ""),
        )
        for each in project["units"]
    )
