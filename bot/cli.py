"""The `fixgate` command: gathers the commands of every room."""

from __future__ import annotations

import pkgutil
import sys
import traceback
from collections.abc import Mapping
from typing import Any

import click
import click.shell_completion

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


class _LazyGroup(click.Group):
    """Imports a command when it is wanted: all of them together take seconds.

    `group` is its own name; "" for that of all commands.
    """

    def __init__(self, *arguments: Any, group: str = "", **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._beginning = f"{group} " if group else ""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """Their names."""
        return sorted(self._summaries())

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        cmd_name: str,
    ) -> click.Command | None:
        """One by its name."""
        if cmd_name not in self._summaries():
            return None
        if cmd_name in evaluator.commands.GROUPS:
            summary = evaluator.commands.GROUPS[cmd_name]
            return _LazyGroup(name=cmd_name, group=cmd_name, help=summary)
        command: click.Command = pkgutil.resolve_name(_COMMANDS[self._beginning + cmd_name][0])
        return command

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Complete as click does, without importing the commands: a shell waits for it."""
        found = [
            click.shell_completion.CompletionItem(name, help=text)
            for name, text in sorted(self._summaries().items())
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        formatter: click.HelpFormatter,
    ) -> None:
        """List them as click does, without importing them."""
        summaries = self._summaries()
        longest = formatter.width - 6 - max(map(len, summaries), default=0)
        known = [click.Command(name, help=text) for name, text in sorted(summaries.items())]
        with formatter.section("Commands"):
            formatter.write_dl([(str(c.name), c.get_short_help_str(longest)) for c in known])

    def _summaries(self) -> Mapping[str, str]:
        """What each of its commands and groups is for."""
        inside = {
            name.removeprefix(self._beginning): summary
            for name, (_, summary) in _COMMANDS.items()
            if name.startswith(self._beginning)
        }
        groups = {} if self._beginning else evaluator.commands.GROUPS
        return {name: text for name, text in inside.items() if " " not in name} | dict(groups)


class _Program(_LazyGroup):
    """Shows expected errors as one message, without a traceback, with exit code 2."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Run it. A fault of fixgate ends with a code of its own: 1 would be a rejection."""
        try:
            return super().main(*args, **options)
        except Exception:
            traceback.print_exc()
            sys.exit(INTERNAL_ERROR)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except FixgateError as error:
            raise _Expected(str(error)) from error


@click.group(cls=_Program)
@click.version_option(package_name="fixgate")
def main() -> None:
    """Write tests from bug reports, and judge tests and fixes by running them."""
