"""`fixgate replay`: judge predictions on the instances of a benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from evaluator.commands import KINDS
from evaluator.commands.options import (
    ManyValuesCommand,
    answer_console,
    benchmark_options,
    chosen_instances,
    replay_progress,
    workspace,
    workspace_options,
)
from evaluator.commands.queue_options import QueueChoice, chosen_carrier, queue_options
from evaluator.model import Evaluation
from evaluator.report.document import write_report
from evaluator.report.html import write_html
from evaluator.report.terminal import print_replay
from evaluator.swtbench.dataset import load_instances
from evaluator.swtbench.grading import Grading
from evaluator.swtbench.predictions import load_predictions
from evaluator.swtbench.reference import export_reference
from evaluator.swtbench.replay import Replay, ReplaySettings


@click.command(cls=ManyValuesCommand)
@click.argument("instances")
@click.option(
    "--predictions",
    "sources",
    multiple=True,
    required=True,
    help="A file of predictions, or the word gold. Takes several.",
)
@click.option("--by", help="Field that splits a file which holds several runs.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Directory of the report; a replay that was cut short goes on from what is there.",
)
@click.option(
    "--grading",
    type=click.Choice([grading.value for grading in Grading]),
    default=Grading.PAPER.value,
    show_default=True,
    help="Success as the paper defines it, or by the reference harness's rules.",
)
@click.option("--reruns", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--export-reference", is_flag=True, help="Write the reference harness's files too.")
@benchmark_options
@queue_options
@workspace_options
def replay(
    instances: str,
    sources: tuple[str, ...],
    by: str | None,
    repos: tuple[str, ...],
    out: Path,
    only: str | None,
    workers: int,
    grading: str,
    reruns: int,
    queue_url: str | None,
    shared: str | None,
    *,
    export_reference: bool,
    **options: Any,
) -> None:
    """Judge predictions on INSTANCES: a JSONL, JSON or Parquet file, or a dataset of the hub."""
    console = Console(stderr=True)
    dataset = load_instances(instances)
    for note in dataset.notes:
        console.print(note, highlight=False, markup=False)
    chosen = chosen_instances(dataset.instances, only)
    loaded = load_predictions(sources, chosen, by=by)
    if only is None:
        tell_unknown(console, loaded.unknown_ids)
    settings = ReplaySettings(Grading(grading), reruns, workers)
    bench = workspace(repos, workers=workers, **options)
    out.mkdir(parents=True, exist_ok=True)
    queue = QueueChoice(queue_url, shared, workers, repos, options, KINDS)
    with (
        chosen_carrier(queue, bench, console) as carrier,
        replay_progress(console, len(chosen) * len(loaded.predictions)) as progress,
    ):
        run = Replay(bench, out, settings, carrier)
        results = run.run(chosen, loaded.predictions, progress)
    _write(out, results, {"instances": instances, "grading": grading, "reruns": reruns})
    if export_reference:
        _export_reference(out, results)
    print_replay(answer_console(), results)
    click.echo(f"report: {out / 'report.html'}")


def tell_unknown(console: Console, unknown: Mapping[str, Sequence[str]]) -> None:
    """Say which rows of a file belong to no instance."""
    for name, ids in unknown.items():
        if ids:
            shown = ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")
            console.print(f"{name}: {len(ids)} rows for unknown instances: {shown}")


def _write(
    out: Path, results: Mapping[str, Sequence[Evaluation]], settings: Mapping[str, object]
) -> None:
    write_report(out / "report.json", results, settings=settings)
    write_html(out / "report.html", results, settings=settings)


def _export_reference(out: Path, results: Mapping[str, Sequence[Evaluation]]) -> None:
    for name, evaluations in results.items():
        export_reference(out / "reference", name, evaluations, gold=results.get("gold", ()))
