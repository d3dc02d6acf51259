"""`fixgate messages`: every text of the App on one page."""

from __future__ import annotations

from pathlib import Path

import click

from bot.errors import ConfigurationError
from evaluator import extra_needed


@click.command()
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("messages.html"),
    show_default=True,
    help="The page; one that is there is replaced.",
)
def messages(out: Path) -> None:
    """Write a page with every check and comment of the App, shown as on GitHub."""
    with extra_needed("demo", "this page"):
        from bot.demo.gallery import gallery
    from bot.messages.examples import examples

    try:
        out.write_text(gallery(examples()), encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{out}: cannot be written: {error.strerror}") from error
    click.echo(f"Open {out} in a browser.")
