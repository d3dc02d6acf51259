"""`fixgate tests4j export`: a dataset as others read it."""

from __future__ import annotations

from pathlib import Path

import click

from evaluator.benchmarks.tests4j.dataset import SplitName, load_dataset
from evaluator.benchmarks.tests4j.exporting import export_json, export_parquet


@click.command("export")
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["json", "parquet"]),
    default="json",
    show_default=True,
    help="One JSON file with its schema, or Parquet with a dataset card.",
)
@click.option(
    "--split",
    type=click.Choice([str(name) for name in SplitName]),
    help="Only the repositories of this split [default: all].",
)
def export(dataset: Path, out: Path, kind: str, split: str | None) -> None:
    """Write DATASET to a folder as JSON, or as Parquet with a card for the Hugging Face hub."""
    loaded = load_dataset(dataset)
    if split is not None:
        chosen = tuple(each for each in loaded.repositories if each.split == split)
        loaded = loaded.model_copy(update={"repositories": chosen})
    write = export_parquet if kind == "parquet" else export_json
    for path in write(loaded, out):
        click.echo(str(path))
