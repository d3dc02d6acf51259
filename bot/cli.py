"""The `fixgate` command: gathers the commands of every room."""

from __future__ import annotations

import click


@click.group()
@click.version_option(package_name="fixgate")
def main() -> None:
    """Judge tests and fixes: does a test fail without the fix and pass with it?"""
