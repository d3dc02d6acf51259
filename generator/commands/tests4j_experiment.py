"""`fixgate tests4j experiment`: the runs of a TOML file, side by side."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from evaluator import default_cache, extra_needed
from generator.commands.training_progress import stage_bar

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("experiment")
@click.argument("experiment_file", metavar="TOML", type=_FILE)
@click.argument("dataset", type=_FILE)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Directory of runs, predictions and tables; what is done there is not done again.",
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory for tokens [default: the user's cache].",
)
def experiment(experiment_file: Path, dataset: Path, out: Path, cache: Path | None) -> None:
    """Train the runs of TOML on DATASET, have them write tests, and compare their losses."""
    console = Console(stderr=True)
    with extra_needed("tuning", "a local model"):
        from generator.tuning.data.dataset_file import open_dataset
        from generator.tuning.experiments.outcomes import RunOutcome
        from generator.tuning.experiments.runs import Experiment, read_experiment
    found = read_experiment(experiment_file)
    work = Experiment(found, open_dataset(dataset), out, (cache or default_cache()) / "tuning")

    def report(outcome: RunOutcome) -> None:
        console.print(Text(f"{outcome.name}, seed {outcome.seed}: loss {outcome.test_loss:.4f}"))

    with stage_bar(console) as bar:
        work.run(bar, report)
    console.print(Text(f"tables: {out / 'experiment.html'}"))
