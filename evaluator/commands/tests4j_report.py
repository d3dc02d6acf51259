"""`fixgate tests4j report`: tables and figures over evaluations and datasets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from evaluator.benchmarks.tests4j.dataset import load_dataset
from evaluator.benchmarks.tests4j.report.page import PAGE, report, write_report
from evaluator.benchmarks.tests4j.report.results import summary
from evaluator.benchmarks.tests4j.report.runs import load_runs
from evaluator.commands.options import ManyValuesCommand
from evaluator.errors import InputError
from evaluator.experiments.comparisons import print_table

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("report", cls=ManyValuesCommand)
@click.argument("directories", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--dataset",
    "datasets",
    type=_FILE,
    multiple=True,
    help="Dataset to describe in tables 3.3 and 3.4. Takes several.",
)
@click.option(
    "--losses",
    type=_FILE,
    help="JSON that maps runs to their models' validation losses, to compare with coverage.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Directory for tests4j-report.html and tests4j-report.json.",
)
def tests4j_report(
    directories: tuple[Path, ...], datasets: tuple[Path, ...], losses: Path | None, out: Path
) -> None:
    """Make the tables and figures of Tests4J from evaluations in DIRECTORIES."""
    if not directories and not datasets:
        raise InputError("name directories of `fixgate tests4j evaluate`, or a --dataset")
    runs = load_runs(directories, {} if losses is None else _losses(losses))
    made = report(runs, [load_dataset(path) for path in datasets])
    write_report(out, made, [path.name for path in (*directories, *datasets)])
    console = Console(stderr=True)
    for table in (*([summary(runs)] if runs else ()), *made.sections.get("Datasets", ())):
        print_table(console, table)
    console.print(Text(f"report: {out / PAGE}"))


def _losses(path: Path) -> Mapping[str, float]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: is no JSON ({error})") from error
    right = isinstance(found, dict) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in found.values()
    )
    if not right:
        raise InputError(f'{path}: should map runs to numbers, as in {{"ZS-Hard-All+model": 1.2}}')
    return {str(name): float(value) for name, value in found.items()}
