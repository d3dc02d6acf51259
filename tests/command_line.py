"""The command line without the start of another interpreter, which takes a second."""

from __future__ import annotations

from collections.abc import Sequence
from subprocess import CompletedProcess

from click.testing import CliRunner

from bot.cli import main


def fixgate(arguments: Sequence[str]) -> CompletedProcess[str]:
    """What `fixgate` with these arguments prints, and its exit code."""
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    return CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)
