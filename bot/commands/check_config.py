"""`fixgate check-config`: what is wrong in a repository's `.github/fixgate.yml`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bot.configuration import FILES, read_configuration
from bot.configuration.reading import schema
from bot.errors import ConfigurationError

MISTAKES = 1
"""The exit code where a file has mistakes."""


@click.command("check-config")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]...")
@click.option("--schema", "shows_schema", is_flag=True, help="Print the JSON Schema, for editors.")
def check_config(files: tuple[Path, ...], *, shows_schema: bool) -> None:
    """Name each mistake in .github/fixgate.yml with its line, key and remedy.

    FILE is another file to check. Exit code 0: none found, 1: mistakes, 2: it cannot be read.
    """
    if shows_schema:
        click.echo(json.dumps(schema(), indent=2))
        return
    found = [mistake for file in files or (_default(),) for mistake in _mistakes(file)]
    for mistake in found:
        click.echo(mistake, err=True)
    if found:
        raise SystemExit(MISTAKES)
    click.echo("No mistakes found.")


def _default() -> Path:
    """The file of the current directory. Raises ConfigurationError where there is none."""
    found = [path for name in FILES if (path := Path(name)).is_file()]
    if not found:
        raise ConfigurationError(f"there is no {FILES[0]} here; name a file to check")
    return found[0]


def _mistakes(file: Path) -> list[str]:
    """`FILE:LINE: KEY: MESSAGE`. Raises ConfigurationError where the file cannot be read."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{file}: is not in UTF-8 (byte {error.start + 1})") from error
    except OSError as error:
        raise ConfigurationError(f"{file}: cannot be read: {error.strerror}") from error
    _, mistakes = read_configuration(text)
    return [
        f"{file}:{one.line}: {f'{one.key}: ' if one.key else ''}{one.message}" for one in mistakes
    ]
