from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from evaluator.commands.options import ManyValuesCommand


@click.command(cls=ManyValuesCommand)
@click.argument("source")
@click.option("--many", multiple=True)
@click.option("--one")
@click.option("--flag", is_flag=True)
def command(source: str, many: tuple[str, ...], one: str | None, *, flag: bool) -> None:
    click.echo(f"{source} {','.join(many)} {one} {flag}")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("s --many a b --one c", "s a,b c False"),
        ("s --many a --many b --flag", "s a,b None True"),
        ("--many a s b", "s a,b None False"),
        ("--one c s --many=a b", "s a,b c False"),
        ("s --many a - --one c", "s a,- c False"),
        ("s", "s  None False"),
    ],
)
def test_repeatable_options_take_several_values(arguments: str, told: str) -> None:
    done = CliRunner().invoke(command, arguments.split())
    assert (done.exit_code, done.output) == (0, f"{told}\n")


@pytest.mark.parametrize("arguments", ["s --one c d", "s --flag d", "s d --many a", "s --many"])
def test_other_words_are_refused(arguments: str) -> None:
    assert CliRunner().invoke(command, arguments.split()).exit_code == 2
