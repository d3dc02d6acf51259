"""Whether there can be a server beside the tests, on the port on which they look for it."""

from __future__ import annotations

from evaluator.environment.tools import BUILD_LIMITS, run_command
from evaluator.sandbox.process import ProcessSandbox
from evaluator.sandbox.protocol import Command, Sandbox


class NoServerError(Exception):
    """There can be no server here; the text says why, and what would help."""


def need_own_network(sandbox: Sandbox) -> None:
    """Raise NoServerError where runs share the ports of the machine, and what listens there.

    Two runs side by side would share one server, or empty that of the user.
    """
    if sandbox.name == ProcessSandbox.name:
        raise NoServerError("the sandbox `process` has no network of its own; docker's has one")


def not_installed(package: str) -> NoServerError:
    """The error for a server of which the sandbox has no program; a package has it."""
    elsewhere = "or in docker --image with one that has it"
    return NoServerError(f"no server is installed: apt-get install {package}, {elsewhere}")


def said_inside(sandbox: Sandbox, script: str, *words: str) -> str:
    """What a shell script prints in the sandbox. Raises ToolError."""
    argv = ("/bin/sh", "-c", script, "sh", *words)
    return run_command(sandbox, Command(argv, "/", mounts=(), limits=BUILD_LIMITS))
