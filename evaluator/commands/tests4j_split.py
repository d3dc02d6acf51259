"""`fixgate tests4j split`: divide a dataset into training, validation and test data."""

from __future__ import annotations

from pathlib import Path

import click

from evaluator.benchmarks.tests4j.dataset import load_dataset, save_dataset
from evaluator.benchmarks.tests4j.dataset_statistics import describe, write_statistics
from evaluator.benchmarks.tests4j.splitting import split_dataset


@click.command("split")
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File of the dataset with its splits; statistics are written beside it.",
)
@click.option("--seed", type=int, default=0, show_default=True)
def split(dataset: Path, out: Path, seed: int) -> None:
    """Put each repository of DATASET into training, validation or test data."""
    divided = split_dataset(load_dataset(dataset), seed)
    save_dataset(divided, out)
    figures = describe(divided)
    write_statistics(figures, out.with_suffix(".statistics.json"), out.with_suffix(".html"))
    for name, row in figures.splits.items():
        click.echo(
            f"{name}: {row.repositories} repositories, {row.methods} methods, "
            f"{row.tests} tests ({row.share:.1%})"
        )
