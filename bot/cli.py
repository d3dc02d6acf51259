"""The `fixgate` command: gathers the commands of every room."""

from __future__ import annotations

import pkgutil
import sys
import traceback
from collections.abc import Mapping
from typing import Any

import click

import bot.commands
import evaluator.commands
import generator.commands
from evaluator import FixgateError

_COMMANDS: Mapping[str, tuple[str, str]] = {
    **evaluator.commands.COMMANDS,
    **generator.commands.COMMANDS,
    **bot.commands.COMMANDS,
}


INTERNAL_ERROR = 70
"""EX_SOFTWARE of sysexits.h."""


class _Expected(click.ClickException):
    """What the user can mend; exit code 2, as for a wrong option."""

    exit_code = 2


class _Group(click.Group):
    """Imports a command when it is wanted: all of them together take seconds.

    Shows expected errors as one message, without a traceback, with exit code 2.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """Their names."""
        return sorted(_COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        cmd_name: str,
    ) -> click.Command | None:
        """One by its name."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = pkgutil.resolve_name(_COMMANDS[cmd_name][0])
        return command

    def main(self, *args: Any, **options: Any) -> Any:
        """Run it. A fault of fixgate ends with a code of its own: 1 would be a rejection."""
        try:
            return super().main(*args, **options)
        except Exception:
            traceback.print_exc()
            sys.exit(INTERNAL_ERROR)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        formatter: click.HelpFormatter,
    ) -> None:
        """List them as click does, without importing them."""
        longest = formatter.width - 6 - max(map(len, _COMMANDS))
        known = [click.Command(name, help=text) for name, (_, text) in sorted(_COMMANDS.items())]
        with formatter.section("Commands"):
            formatter.write_dl([(str(c.name), c.get_short_help_str(longest)) for c in known])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except FixgateError as error:
            raise _Expected(str(error)) from error


@click.group(cls=_Group)
@click.version_option(package_name="fixgate")
def main() -> None:
    """Write tests from bug reports, and judge tests and fixes by running them."""
