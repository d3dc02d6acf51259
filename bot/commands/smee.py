"""`fixgate smee`: webhooks for a machine that GitHub cannot reach."""

from __future__ import annotations

from pathlib import Path

import click

from bot.commands.starting import env_file_option, started
from bot.errors import ConfigurationError
from bot.github.channel import receive


@click.command()
@env_file_option
def smee(env_file: Path | None) -> None:
    """Receive webhooks through a channel of smee.io, for a machine that GitHub cannot reach.

    FIXGATE_SMEE names the channel; what comes is handed to the web process of this machine.

    `serve --embedded --smee` makes a channel and does this by itself. Only for trying fixgate: who
    knows the channel's address reads what GitHub sends, and what nobody listens to is lost.
    """
    settings = started(env_file)
    if not settings.smee:
        raise ConfigurationError(
            "FIXGATE_SMEE is not set: write the address of a channel, as https://smee.io/new gives"
        )
    receive(settings.smee, f"{settings.local_url}/webhook")
