"""Writes a manual page for each command: `python docs/man_pages.py FOLDER`, or `make man`."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import click
from click_man.core import write_man_pages

from bot.cli import main as program


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    """Write a manual page for each command to FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    version = metadata.version("fixgate")
    write_man_pages("fixgate", loaded(program), version=version, target_dir=str(folder))


def loaded(group: click.Group) -> click.Group:
    """A group with all its commands: ours imports each when it is wanted, click-man none."""
    context = click.Context(group)
    commands = {}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None  # it is listed
        commands[name] = loaded(command) if isinstance(command, click.Group) else command
    return click.Group(group.name, commands, help=group.help, params=group.params)


if __name__ == "__main__":
    main()
