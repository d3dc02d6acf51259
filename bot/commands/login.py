"""`fixgate login`: a link to the dashboard."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from bot.commands.starting import env_file_option
from bot.errors import ConfigurationError
from bot.settings import settings_from, with_file
from bot.web.login import login_link


@click.command()
@click.option("--open", "opens", is_flag=True, help="Open it in a browser too.")
@env_file_option
def login(*, opens: bool, env_file: Path | None) -> None:
    """Print a link that opens the dashboard without asking for the token, for ten minutes."""
    settings = settings_from(with_file(env_file))
    token = settings.dashboard_token()
    if token is None:
        raise ConfigurationError(
            f"there is no token in {settings.data} yet: start `fixgate serve` first, or set "
            "FIXGATE_DASHBOARD_TOKEN"
        )
    link = login_link(settings.public_url, token)
    click.echo(link)
    if opens:
        webbrowser.open(link)
