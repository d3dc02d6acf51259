"""What recipes and the environments built from them have in common in all languages."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import ClassVar

from evaluator.sandbox.protocol import Mount


@dataclass(frozen=True)
class Service:
    """A program that tests need beside them, started inside the sandbox on its loopback.

    `command` runs with the environment's programs first on PATH; `{port}` in it and in
    `variables` is replaced by `port`, or by a free one where that is 0. `variables` are set for the
    tests once the port answers, and `check`, a command, succeeds where there is one. An `optional`
    one is done without where its program is not there, or something else has its port.
    `archive` is a tar file that each run unpacks for itself, into a directory that stands for
    `{directory}` in commands; `{user}` stands for who runs the tests.
    """

    name: str
    command: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    port: int = 0
    optional: bool = False
    check: tuple[str, ...] = ()
    archive: str = ""


@dataclass(frozen=True)
class AbsentService:
    """A service that tests would have had beside them, and why they do not."""

    name: str
    reason: str


@dataclass(frozen=True)
class SharedDownloads:
    """What the trees of one repository may download together.

    Only what a `trusted` tree, a base commit, downloads is kept for others: the code of a tree may
    run meanwhile, and that of a change is a stranger's.
    """

    repo: str
    trusted: bool


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a repository at some versions is tested; each language adds how it is installed.

    `language` names the one whose recipe this is, `framework` one of its test frameworks, which
    gets `test_arguments`. `additional_packages` are installed beside all that the recipe names
    otherwise. `variables` are set for tests and builds. `source` says for people where
    the recipe comes from.
    """

    language: ClassVar[str]

    framework: str
    additional_packages: tuple[str, ...] = ()
    test_arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    services: tuple[Service, ...] = ()
    source: str = ""

    @property
    def import_roots(self) -> tuple[str, ...]:
        """Directories of the tree below which modules have their names, where there are any."""
        return ()


@dataclass(frozen=True)
class Addition:
    """A package that may give tests what they could not be loaded without.

    `what` says what that is (`module toml`), `package` is the requirement, `recipe` has it. `key`
    is the field of the recipe that holds it. What is not simply one package more is tried
    `alone`. One that is `uncertain` to help, such as one that `leaves_out` a package, is of use
    only where more files can be loaded.
    """

    what: str
    package: str
    recipe: Recipe
    key: str = "additional_packages"
    alone: bool = False
    leaves_out: bool = False
    uncertain: bool = False


@dataclass(frozen=True)
class Uncompiled:
    """A directory or file of the repository itself that an environment does without, and why."""

    place: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Environment(abc.ABC):
    """A built environment: programs with packages, and files to lay over the tree.

    `key` is the content hash of all that went into it. `packages` are the resolved releases.
    `visible` lists host directories that the sandbox shows read-only under their own path.
    `overlays` are directories whose files are laid over the work tree, one after the other.
    `unbuilt` are packages that it lacks, as they could not be installed, and `uncompiled` is code
    of the repository that it lacks for the same reason, or as it needs such a package. `prepared`
    are services of the recipe as they are started here, by name, and `absent` those that cannot be.
    """

    key: str
    recipe: Recipe
    packages: tuple[str, ...] = ()
    visible: tuple[Path, ...] = ()
    overlays: tuple[Path, ...] = ()
    unbuilt: tuple[str, ...] = ()
    uncompiled: tuple[Uncompiled, ...] = ()
    prepared: Mapping[str, Service] = field(default_factory=dict)
    absent: tuple[AbsentService, ...] = ()

    @property
    def services(self) -> tuple[Service, ...]:
        """What is started beside the tests."""
        absent = {each.name for each in self.absent}
        wanted = (each for each in self.recipe.services if each.name not in absent)
        return tuple(self.prepared.get(each.name, each) for each in wanted)

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """What a sandbox shows of the host so that the environment works, read-only."""
        return tuple(Mount(path, PurePosixPath(path)) for path in self.visible)

    @property
    @abc.abstractmethod
    def programs(self) -> tuple[Path, ...]:
        """Directories that come first on PATH."""

    @property
    def commands(self) -> tuple[Path, ...]:
        """Directories that come before `programs` in shells."""
        return ()

    def parts(self, files: Sequence[str]) -> Sequence[tuple[str, ...]]:
        """The test files by what runs them apart from the others, one process after the other."""
        return (tuple(files),)

    def test_command(self, files: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG002
        """What runs test files in a shell where the framework's own program cannot, else ()."""
        return ()

    @abc.abstractmethod
    def variables(self, tree: str, seed: int) -> Mapping[str, str]:
        """What the language's programs need; `tree` is where they see the work tree.

        `seed` is that of whatever the language leaves to chance, such as the order of hashes.
        """

    @abc.abstractmethod
    def launch(self, probe: str, results: str) -> tuple[str, ...]:
        """The program and arguments that run the tests of `results/spec.json`.

        `probe` and `results` are directories as seen inside the sandbox: the language's probe,
        and the one that holds the specification and the key and gets the results.
        """
