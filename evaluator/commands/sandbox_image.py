"""`fixgate sandbox-image`: make the image of the docker sandbox."""

from __future__ import annotations

import click

from evaluator.sandbox.docker import LOCAL_IMAGE
from evaluator.sandbox.image import build_image


@click.command()
@click.option("--tag", default=LOCAL_IMAGE, show_default=True, help="Name of the image.")
@click.option("--base", default="", help="Base image to build on [default: debootstrap].")
def sandbox_image(tag: str, base: str) -> None:
    """Make the image that the docker sandbox uses when no other is named."""
    identity = build_image(tag=tag, base=base, say=click.echo)
    click.echo(f"{tag}: {identity}")
