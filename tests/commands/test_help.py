"""`fixgate --help` lists every command, and imports none."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import bot.commands
import evaluator.commands
import generator.commands
from tests.command_line import fixgate

COMMANDS = {
    **evaluator.commands.COMMANDS,
    **generator.commands.COMMANDS,
    **bot.commands.COMMANDS,
}
LONGEST = 1_000
"""More than any first sentence has, so that click cuts none."""


def test_each_command_says_of_itself_what_help_says_of_it() -> None:
    said = {name: pkgutil.resolve_name(place) for name, (place, _) in COMMANDS.items()}
    assert {name: command.get_short_help_str(LONGEST) for name, command in said.items()} == {
        name: summary for name, (_, summary) in COMMANDS.items()
    }


@pytest.mark.parametrize("group", ["", *evaluator.commands.GROUPS])
def test_help_lists_every_command(group: str) -> None:
    listed = fixgate([*group.split(), "--help"]).stdout.partition("Commands:\n")[2].splitlines()
    names = {name.split()[0] for name in COMMANDS} | set(evaluator.commands.GROUPS)
    inside = {name.removeprefix(f"{group} ") for name in COMMANDS if name.startswith(f"{group} ")}
    assert [line.split()[0] for line in listed] == sorted(inside if group else names)


def test_help_imports_no_command() -> None:
    code = "import sys; from bot.cli import main; main(['--help'], standalone_mode=False); "
    show = "print('loaded', *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code + show], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.partition("loaded")[2].split()
    assert not {place.partition(":")[0] for place, _ in COMMANDS.values()} & set(loaded)
