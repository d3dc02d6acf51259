"""Runs the tools that build environments, and copies and links the files that they made."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from evaluator.errors import EnvironmentBuildError
from evaluator.sandbox.protocol import GIBIBYTE, Command, ExitReason, Mount, ResourceLimits, Sandbox

LOG_LINES = 40
BUILD_LIMITS = ResourceLimits(
    wall_seconds=3600, cpu_seconds=7200, processes=1024, disk_bytes=8 * GIBIBYTE
)


class ToolError(Exception):
    """A tool that builds environments failed; `log` is all that it printed."""

    def __init__(self, log: str) -> None:
        super().__init__(last_lines(log))
        self.log = log

    def after(self, first: ToolError) -> ToolError:
        """The error of a second attempt, together with why the first one failed."""
        return self if self.log == first.log else ToolError(f"{first.log}\n{self.log}")


def at_own_path(path: Path, *, writable: bool = False) -> Mount:
    """A mount that shows `path` under its own name: environments cannot be moved."""
    return Mount(path, PurePosixPath(path), writable=writable)


def run_command(sandbox: Sandbox, command: Command) -> str:
    """Run a build step in the sandbox and return its output. Raises ToolError."""
    completed = sandbox.run(command)
    if completed.ending is not ExitReason.EXITED:
        raise ToolError(f"{completed.output}\nstopped: {completed.ending}")
    if completed.exit_code != 0:
        raise ToolError(completed.output)
    return completed.output


def last_lines(log: str) -> str:
    """The end of a tool's output, where it says why it failed."""
    return "\n".join(log.strip().splitlines()[-LOG_LINES:])


def build_error(message: str, error: ToolError, recipe: object) -> EnvironmentBuildError:
    """The error for a user: what could not be done, the tool's last lines, the recipe tried."""
    log = last_lines(error.log)
    return EnvironmentBuildError(f"{message}:\n{log}", log=log, recipe=str(recipe))


def regular_files(directory: Path) -> Iterator[str]:
    """Paths of all regular files below a directory, relative to it; links are never followed.

    Raises EnvironmentBuildError where the directory itself was replaced by a link.
    """
    _refuse_link(directory)
    for parent, directories, names in os.walk(directory, followlinks=False):
        directories[:] = [name for name in directories if name != ".git"]
        for name in names:
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink():
                yield str(path.relative_to(directory))


def copy_tree(source: Path, target: Path) -> None:
    """A private copy of a tree, without its history; links stay links."""
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(".git"))


def link_file(source: Path, target: Path) -> None:
    """The same file under a second name, or a copy where the file system has no such links."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def only_file(directory: Path, pattern: str) -> Path:
    """The one regular file that matches. Raises EnvironmentBuildError where there is none."""
    _refuse_link(directory)
    for path in directory.glob(pattern):
        if path.is_file() and not path.is_symlink():
            return path
    raise EnvironmentBuildError(f"the build left no {pattern}")


def _refuse_link(directory: Path) -> None:
    """A build that makes its own directory a link would have us hand out the host's files."""
    if directory.is_symlink():
        raise EnvironmentBuildError(f"the build replaced its directory {directory.name} by a link")
