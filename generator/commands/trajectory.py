"""`fixgate trajectory`: show the steps of the work on an issue."""

from __future__ import annotations

from pathlib import Path

import click

from evaluator import InputError
from generator.trajectory.page import write_page
from generator.trajectory.reading import read_trajectory
from generator.trajectory.recorder import SUFFIX


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def trajectory(paths: tuple[Path, ...]) -> None:
    """Write a page beside each trajectory in PATHS: files, or folders of them.

    Reads those of mini-swe-agent too, and those of work that is not done yet.
    """
    for path in _files(paths):
        page = path.with_name(f"{path.name.removesuffix(SUFFIX)}.html")
        write_page(page, read_trajectory(path))
        click.echo(page)


def _files(paths: tuple[Path, ...]) -> list[Path]:
    files = [file for path in paths for file in _in(path)]
    if not files:
        raise InputError(f"no *{SUFFIX} is in {', '.join(map(str, paths))}")
    return files


def _in(path: Path) -> list[Path]:
    return sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
