"""`fixgate filter`: judge fixes by generated tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from evaluator.admission import TIMES
from evaluator.commands import KINDS
from evaluator.commands.options import (
    ManyValuesCommand,
    answer_console,
    benchmark_options,
    chosen_instances,
    counting,
    workspace,
    workspace_options,
)
from evaluator.commands.queue_options import QueueChoice, chosen_carrier, queue_options
from evaluator.commands.replay import tell_unknown
from evaluator.filtering.filter import Filter, FilterSettings, Progress, jobs
from evaluator.filtering.inputs import load_fixes, load_tests
from evaluator.filtering.report import print_filter, write_filter, write_page
from evaluator.filtering.results import InstanceResult
from evaluator.swtbench.dataset import load_instances


@click.command("filter", cls=ManyValuesCommand)
@click.argument("instances")
@click.option(
    "--fixes",
    "fixes_file",
    type=click.Path(path_type=Path),
    required=True,
    help="Fixes: rows of instance_id, model_patch, and optionally resolved, and run, name or "
    "model_name_or_path.",
)
@click.option(
    "--tests",
    "sources",
    multiple=True,
    required=True,
    help="A file of predicted tests. Takes several.",
)
@click.option("--by", help="Field to name the rows by, in files of tests that have it.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Directory of the report; a filter that was cut short goes on from what is there.",
)
@click.option(
    "--admission-runs",
    type=click.IntRange(min=1),
    default=TIMES,
    show_default=True,
    help="How many times tests must fail on the base commit to be admitted.",
)
@click.option("--reruns", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--witnesses",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many writers of tests must find the bug fixed before a fix is accepted.",
)
@click.option(
    "--regression-budget",
    type=click.FloatRange(min=0),
    default=FilterSettings.regression_budget,
    show_default=True,
    metavar="SECONDS",
    help="How long existing tests run, for each fix, that it can affect; 0 for none.",
)
@benchmark_options
@queue_options
@workspace_options
def filter_fixes(
    instances: str,
    fixes_file: Path,
    sources: tuple[str, ...],
    by: str | None,
    repos: tuple[str, ...],
    out: Path,
    only: str | None,
    workers: int,
    admission_runs: int,
    reruns: int,
    witnesses: int,
    regression_budget: float,
    queue_url: str | None,
    shared: str | None,
    **options: Any,
) -> None:
    """Judge fixes for INSTANCES by generated tests; golden tests and fixes are never looked at.

    INSTANCES is a JSONL, JSON or Parquet file, or a dataset of the hub. Tests count that fail on
    the base commit every time, for the reason that the issue reports.
    """
    console = Console(stderr=True)
    dataset = load_instances(instances)
    for note in dataset.notes:
        console.print(note, highlight=False, markup=False)
    chosen = chosen_instances(dataset.instances, only)
    fixes = load_fixes(fixes_file, chosen)
    tests = load_tests(sources, chosen, by=by)
    if only is None:
        tell_unknown(console, {str(fixes_file): fixes.unknown_ids, **tests.unknown_ids})
    todo = jobs(chosen, fixes.fixes, tests.predictions)
    settings = FilterSettings(admission_runs, reruns, witnesses, workers, regression_budget)
    bench = workspace(repos, workers=workers, **options)
    queue = QueueChoice(queue_url, shared, workers, repos, options, KINDS)
    with (
        chosen_carrier(queue, bench, console) as carrier,
        _progress(console, len(todo)) as progress,
    ):
        results = Filter(bench, out, settings, carrier).run(todo, progress)
    inputs = {"instances": instances, "fixes": str(fixes_file), "tests": list(sources), "by": by}
    _write(out, results, {**inputs, **dataclasses.asdict(settings)})
    print_filter(answer_console(), results)
    click.echo(f"report: {out / 'filter.html'}")


def _write(out: Path, results: tuple[InstanceResult, ...], settings: Mapping[str, object]) -> None:
    write_filter(out / "filter.json", results, settings=settings)
    write_page(out / "filter.html", results, settings=settings)


@contextmanager
def _progress(console: Console, total: int) -> Iterator[Progress]:
    """A bar over the instances, which counts the decisions on their fixes."""
    kinds = ("accept", "reject", "abstain", "not judged")
    with counting(console, total, kinds) as advance:

        def on_result(result: InstanceResult) -> None:
            advance([fix.decision or "not judged" for fix in result.fixes])

        yield on_result
