"""`fixgate minter`: holds the App's key, and gives tokens to the other processes."""

from __future__ import annotations

from pathlib import Path

import click

from bot import assembly
from bot.commands.starting import env_file_option, started
from bot.github.minter_server import serve


@click.command()
@env_file_option
def minter(env_file: Path | None) -> None:
    """Give tokens to who knows FIXGATE_MINTER_SECRET, at FIXGATE_MINTER.

    The only process that reads the App's private key. It speaks to GitHub and runs no code of
    anybody's.
    """
    settings = started(env_file)
    made, secret = assembly.minter(settings), settings.minter_secret()
    click.echo(f"Minting at {settings.minter_address}")
    serve(made, secret, settings.minter_address)
