"""A work tree in which commands run one after the other, each in the sandbox."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.diff import Changes, Source, tree_source
from evaluator.environment.types import Environment
from evaluator.execution import Subject
from evaluator.languages import framework_of, produced_directories
from evaluator.model import Revision
from evaluator.run import program_variables
from evaluator.sandbox.guise import USUAL
from evaluator.sandbox.protocol import (
    MEBIBYTE,
    Command,
    CommandResult,
    Mount,
    ResourceLimits,
    Sandbox,
)

SCRATCH = PurePosixPath("/scratch")
"""Where commands see the scratch directory, in sandboxes that can choose."""
_GIT = {
    "GIT_CONFIG_PARAMETERS": "'safe.directory=*'",
    "GIT_PAGER": "cat",
}
"""git works in the tree whoever its owner is inside, and waits for no key."""
LARGEST_CHANGED_FILE = MEBIBYTE
"""Bytes of a changed file above which it is taken for something that a command produced."""


@dataclass(frozen=True)
class Stamp:
    """What shows that a file was touched; the time of its last change cannot be set at will."""

    inode: int
    changed_ns: int
    size: int


@dataclass(frozen=True)
class Shell:
    """Commands see the tree as their directory, no network, and the environment of the tests.

    `stamps` are those of the tree before the first command. Nothing survives from one command to
    the next but what it wrote into the tree or into `scratch`, a directory beside it.
    """

    sandbox: Sandbox
    subject: Subject
    tree: Path
    limits: ResourceLimits
    stamps: Mapping[str, Stamp]
    scratch: Path

    @property
    def scratch_location(self) -> str:
        """Where commands see the scratch directory."""
        return self.sandbox.location(self._scratch_mount)

    @property
    def _scratch_mount(self) -> Mount:
        return Mount(self.scratch.resolve(), SCRATCH, writable=True)

    @property
    def environment(self) -> Environment:
        """The environment of the base commit."""
        return self.subject.environments[Revision.BASE]

    @property
    def source(self) -> Source:
        """Reads from the work tree as it is now."""
        return tree_source(self.tree)

    def run(
        self,
        argv: tuple[str, ...],
        *,
        limits: ResourceLimits | None = None,
        visible: Iterable[Path] = (),
    ) -> CommandResult:
        """Run a program to its end or to a limit. Raises SandboxError.

        It may read the paths that are `visible` beside what the environment needs.
        """
        mount = Mount(self.tree.resolve(), PurePosixPath(USUAL.tree), writable=True)
        shown = (Mount(path, PurePosixPath(path)) for path in visible)
        location = self.sandbox.location(mount)
        variables = program_variables(self.environment, location)
        commands = [*map(str, self.environment.commands), variables["PATH"]]
        return self.sandbox.run(
            Command(
                argv=argv,
                directory=location,
                mounts=(mount, self._scratch_mount, *self.environment.mounts, *shown),
                environment={**_GIT, **variables, "PATH": os.pathsep.join(commands)},
                limits=limits or self.limits,
            )
        )

    def script(self, script: str, *, limits: ResourceLimits | None = None) -> CommandResult:
        """Run a shell script."""
        return self.run(("bash", "-c", script), limits=limits)

    def test_command(self, files: tuple[str, ...]) -> str:
        """The line by which the test files are run in this shell."""
        if own := self.environment.test_command(files):
            return shlex.join(own)
        recipe = self.environment.recipe
        chosen = framework_of(recipe)
        labels = [chosen.label(file, recipe.import_roots) for file in files]
        return shlex.join([*chosen.program(), *chosen.arguments(labels, recipe.test_arguments)])

    def changes(self) -> Changes:
        """What commands changed in the tree: files written, changed or removed.

        What tools leave behind (bytecode, caches), files above LARGEST_CHANGED_FILE and links are
        left out. Nothing of it is to be trusted.
        """
        now = stamps(self.tree)
        touched = [p for p, stamp in now.items() if self.stamps.get(p) != stamp]
        small = [p for p in touched if now[p].size <= LARGEST_CHANGED_FILE]
        written = {path: self.source(path) for path in small}
        changed = {p: new for p, new in written.items() if new != self.subject.source(p)}
        return Changes({**changed, **dict.fromkeys(self.stamps.keys() - now.keys())})


def stamps(root: Path) -> dict[str, Stamp]:
    """The regular files below a directory, by path; links are not followed."""
    return {
        PurePosixPath(entry.path).relative_to(root).as_posix(): _stamp(entry)
        for entry in _files(root)
    }


def _stamp(entry: os.DirEntry[str]) -> Stamp:
    status = entry.stat(follow_symlinks=False)
    return Stamp(status.st_ino, status.st_ctime_ns, status.st_size)


def _files(root: Path) -> Iterator[os.DirEntry[str]]:
    produced = produced_directories()
    folders = [root]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.extend([] if entry.name in produced else [Path(entry.path)])
                elif entry.is_file(follow_symlinks=False):
                    yield entry
