"""`fixgate doctor`: what works here, and what to do about the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bot.commands.starting import env_file_option
from generator.commands.doctor import endpoint_findings, show
from generator.commands.model_options import endpoint_options


@click.command()
@endpoint_options
@click.option(
    "--ca-bundle",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Certificates to trust beside those of the system.",
)
@click.option("--app", "checks_app", is_flag=True, help="Check what the App needs instead.")
@env_file_option
def doctor(*, checks_app: bool, env_file: Path | None, **given: Any) -> None:
    """Check the model, its endpoint and key, and the sandboxes, and say what to do.

    Asks the model two short questions. With --app: the directory of data, disk, store, Redis and
    sandbox; the App's key, client secret, permissions and events on GitHub; the clock; and the
    webhook, by a test delivery to the running web process. Exit code 2: something that was named
    does not work.
    """
    if not checks_app:
        show(endpoint_findings(given))
        return
    from bot.diagnosis import AppDiagnosis
    from bot.settings import settings_from, with_file

    show(AppDiagnosis(settings_from(with_file(env_file))).findings())
