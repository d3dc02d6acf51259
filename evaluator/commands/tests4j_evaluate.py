"""`fixgate tests4j evaluate`: compile, run and score unit tests for Java methods."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from evaluator.benchmarks.tests4j.dataset import Tests4JDataset, load_dataset
from evaluator.benchmarks.tests4j.document import EvaluationDocument, document, write_document
from evaluator.benchmarks.tests4j.evaluation import BuildWay, Evaluation4J, EvaluationSettings
from evaluator.benchmarks.tests4j.metrics import UnitTestFigures
from evaluator.benchmarks.tests4j.page import write_page
from evaluator.benchmarks.tests4j.predictions import load_predictions
from evaluator.benchmarks.tests4j.results import MethodResult
from evaluator.benchmarks.tests4j.samples import Fate
from evaluator.commands.options import (
    ManyValuesCommand,
    answer_console,
    counting,
    repos_option,
    workspace,
    workspace_options,
)
from evaluator.errors import InputError

_COLUMNS = ("parsable", "compilable", "executable", "correct", "milc", "malc", "mibc", "mabc")


@click.command(cls=ManyValuesCommand)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--predictions",
    required=True,
    help="A file of predictions, or the word truth for the human tests.",
)
@click.option("--model", help="Which model's predictions, where the file has several.")
@repos_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Directory of the results; an evaluation that was cut short goes on from what is there.",
)
@click.option("--only", help="Repositories to evaluate, OWNER/NAME separated by commas.")
@click.option(
    "--reruns",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="How often tests run again, to find flaky ones.",
)
@click.option("--mutants", is_flag=True, help="Run correct tests against mutants of their methods.")
@click.option(
    "--build",
    type=click.Choice([str(each) for each in BuildWay]),
    default=str(BuildWay.DIRECT),
    show_default=True,
    help="Compile and run tests directly, or by Maven as the thesis does, to compare.",
)
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@workspace_options
def evaluate(
    dataset: Path,
    predictions: str,
    model: str | None,
    repos: tuple[str, ...],
    out: Path,
    only: str | None,
    reruns: int,
    build: str,
    workers: int,
    *,
    mutants: bool,
    **shared: Any,
) -> None:
    """Compile, run and score unit tests for the methods of DATASET."""
    console = Console(stderr=True)
    settings = EvaluationSettings(reruns, mutants, workers, BuildWay(build))
    if settings.build is BuildWay.MAVEN and (reruns or mutants):
        raise InputError("--reruns and --mutants need --build direct")
    chosen = _chosen(load_dataset(dataset), only)
    predicted = load_predictions(predictions, chosen, model)
    evaluation = Evaluation4J(
        workspace(repos, workers=workers, **shared),
        chosen,
        predicted,
        out,
        settings,
    )
    out.mkdir(parents=True, exist_ok=True)
    count = sum(1 for _ in chosen.methods())
    with counting(
        console, count, ("covered", "not covered", "left out", "not evaluated")
    ) as advance:
        results = evaluation.run(lambda result: advance([_kind(result)]))
    names = {each.model for each in predicted.values()}
    found = document(chosen.name, ", ".join(sorted(names)), results)
    write_document(out / "tests4j.json", found)
    write_page(out / "report.html", found)
    _print(answer_console(), found)


def _chosen(dataset: Tests4JDataset, only: str | None) -> Tests4JDataset:
    if only is None:
        return dataset
    wanted = {name.strip() for name in only.split(",") if name.strip()}
    kept = tuple(each for each in dataset.repositories if each.name in wanted)
    unknown = sorted(wanted - {each.name for each in kept})
    if unknown:
        raise InputError(f"--only names repositories that {dataset.name} has not: {unknown}")
    return dataset.model_copy(update={"repositories": kept})


def _kind(result: MethodResult) -> str:
    if result.error:
        return "not evaluated"
    if result.left_out:
        return "left out"
    is_covered = any(test.fate is Fate.CORRECT for test in result.tests)
    return "covered" if is_covered else "not covered"


def _print(console: Console, found: EvaluationDocument) -> None:
    table = Table(title=f"{found.dataset}: {found.model}, in %", box=SIMPLE_HEAD, padding=0)
    table.add_column("repository", overflow="fold")
    for name in ("unique", *_COLUMNS):
        table.add_column(f" {name[:4]}", justify="right", no_wrap=True)
    for name, figures in (*found.repositories.items(), ("total", found.total)):
        table.add_row(name, str(figures.unique), *(_percent(figures, each) for each in _COLUMNS))
    console.print(table)
    for name, reason in found.failures.items():
        console.print(f"{name} was not evaluated: {reason}", markup=False, highlight=False)
    for name, codes in found.left_out.items():
        for code in codes:
            counts = f"{code.methods} methods, {code.tests} tests"
            line = f"{name} is built without {code.place} ({counts}): {code.reason}"
            console.print(line, markup=False, highlight=False)


def _percent(figures: UnitTestFigures, name: str) -> str:
    value = getattr(figures, name)
    return "-" if value is None else f"{100 * value:.2f}"
