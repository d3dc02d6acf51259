"""Runs the tools that build environments, and says how they failed."""

from __future__ import annotations

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
