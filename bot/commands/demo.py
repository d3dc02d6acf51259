"""`fixgate demo`: the whole story, on what ships with fixgate."""

from __future__ import annotations

from pathlib import Path

import click

from evaluator import extra_needed


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
    with extra_needed("demo", "the demo"):
        from bot.demo.play import play, play_java

    if java:
        play_java(out)
    else:
        play(out)
