"""How every process of the App begins: settings, logs, and an orderly end."""

from __future__ import annotations

import os
import secrets
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from bot.errors import ConfigurationError
from bot.logs import start_logging
from bot.settings import Settings, settings_from, with_file
from generator.model.secret import Secret

Function = TypeVar("Function", bound=Callable[..., Any])


def env_file_option(command: Function) -> Function:
    """Add the option that names a file of settings."""
    return click.option(
        "--env-file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="File of NAME=VALUE lines; what the environment sets goes before them.",
    )(command)


def started(env_file: Path | None) -> Settings:
    """The settings of a process whose logs are JSON, and which ends when it is asked to.

    Raises ConfigurationError.
    """
    settings = settings_from(with_file(env_file))
    start_logging()
    signal.signal(signal.SIGTERM, _end)
    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise unusable_directory(settings.data, error) from error
    return settings


def unusable_directory(data: Path, error: OSError) -> ConfigurationError:
    """For a directory of data that cannot be made or written: what to do about it."""
    return ConfigurationError(
        f"{data} cannot be used: {error.strerror}; make it a directory that this user may write, "
        "or name another one as FIXGATE_DATA_DIRECTORY"
    )


def check_writable(data: Path) -> None:
    """Raise ConfigurationError where nothing can be written to a directory."""
    try:
        with tempfile.TemporaryFile(dir=data):
            pass
    except OSError as error:
        raise unusable_directory(data, error) from error


def own_token(settings: Settings) -> Secret:
    """The token of the dashboard, made and kept where nobody chose one."""
    found = settings.dashboard_token()
    if found is not None:
        return found
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        with os.fdopen(os.open(settings.token_file, flags, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(32))
    except OSError as error:
        raise unusable_directory(settings.data, error) from error
    click.echo(f"The token for {settings.public_url} is in {settings.token_file}")
    return own_token(settings)


def _end(_signal: int, _frame: object) -> NoReturn:
    raise SystemExit(0)
