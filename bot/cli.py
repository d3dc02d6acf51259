"""The `fixgate` command: gathers the commands of every room."""

from __future__ import annotations

from typing import Any

import click

import bot.commands
import evaluator.commands
import generator.commands
from evaluator.errors import FixgateError


class _Expected(click.ClickException):
    """What the user can mend; exit code 2, as for a wrong option."""

    exit_code = 2


class _Group(click.Group):
    """Shows expected errors as one message, without a traceback, with exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except FixgateError as error:
            raise _Expected(str(error)) from error


@click.group(cls=_Group)
@click.version_option(package_name="fixgate")
def main() -> None:
    """Write tests from bug reports, and judge tests and fixes by running them."""


_ALL = (*evaluator.commands.COMMANDS, *generator.commands.COMMANDS, *bot.commands.COMMANDS)
for _command in _ALL:
    main.add_command(_command)
