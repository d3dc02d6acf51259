"""`fixgate demo`: the whole story, on what ships with fixgate."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import click

from bot.errors import ConfigurationError

_NEEDED = ("graphql", "markdown_it", "linkify_it")
"""Modules of the extra `demo`, which the simulated GitHub is made with."""


def need_demo_packages(what: str) -> None:
    """Raise ConfigurationError where the extra `demo` is not installed; `what` needs it."""
    if not all(importlib.util.find_spec(name) for name in _NEEDED):
        raise ConfigurationError(
            f"{what} needs packages that a server does not: pip install 'fixgate[demo]'"
        )


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo-output"),
    show_default=True,
    help="Directory of pages and report; what an earlier demo left there is replaced.",
)
@click.option(
    "--java",
    is_flag=True,
    help="Play the story in a Java repository: needs a JDK and Maven, and for the first time, "
    "Maven Central.",
)
def demo(out: Path, java: bool) -> None:
    """From an issue to an accepted fix, on a small repository and a simulated GitHub.

    Needs no network, no account and no model.
    """
    need_demo_packages("the demo")
    from bot.demo.play import play, play_java

    if java:
        play_java(out)
    else:
        play(out)
