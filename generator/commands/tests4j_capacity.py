"""`fixgate tests4j capacity`: how much of a text fits into soft tokens."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from evaluator import InputError, extra_needed
from evaluator.benchmarks.tests4j.dataset import Tests4JDataset, load_dataset
from evaluator.commands.options import ManyValuesCommand
from evaluator.report.figures import FigureTable, write_figures
from evaluator.report.lines import line_plot

_POSITIVE = click.IntRange(min=1)


@click.command("capacity", cls=ManyValuesCommand)
@click.argument("dataset", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--model", required=True, help="Directory or name of a causal language model.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--tokens", type=_POSITIVE, multiple=True, default=[1, 2, 4], show_default=True)
@click.option(
    "--length",
    "lengths",
    type=_POSITIVE,
    multiple=True,
    default=[16, 32, 64, 128],
    show_default=True,
    help="Tokens of a text. Takes several.",
)
@click.option("--texts", type=_POSITIVE, default=8, show_default=True, help="Of each length.")
@click.option("--steps", type=_POSITIVE, default=300, show_default=True)
@click.option(
    "--rate", type=click.FloatRange(min=0, min_open=True), default=0.05, show_default=True
)
@click.option("--seed", type=int, default=0, show_default=True)
def capacity(dataset: Path, model: str, out: Path, **given: Any) -> None:
    """Train soft tokens to recall test classes of DATASET, and plot what they recall (RQ3)."""
    console = Console(stderr=True)
    with extra_needed("tuning", "a local model"):
        from generator.tuning.experiments.capacity import RecallSettings, recall
        from generator.tuning.models.loading import load_language_model
        from generator.tuning.saving import save_bytes, writing_to
    base = load_language_model(model)
    settings = RecallSettings(given["steps"], given["rate"], given["seed"])
    longest = max(given["lengths"])
    texts = _texts(load_dataset(dataset), base.tokenizer.encode, longest, given["texts"])
    found = []
    for soft in given["tokens"]:
        for length in given["lengths"]:
            found.append(recall(base, [text[:length] for text in texts], soft, settings))
            console.print(Text(f"{soft} for {length}: {found[-1].recalled:.1%} recalled"))
            rows = json.dumps([asdict(each) for each in found], indent=1)
            save_bytes(out / "capacity.json", rows.encode())
    with writing_to(out):
        _write_page(out / "capacity.html", base.name, found)


def _texts(dataset: Tests4JDataset, encode: Any, longest: int, wanted: int) -> list[list[int]]:
    """The beginnings of different test classes that are long enough. Raises InputError."""
    classes = dict.fromkeys(method.test_context for _, method in dataset.methods())
    encoded = (list(encode(text)) for text in classes)
    found = [text[:longest] for text in encoded if len(text) >= longest][:wanted]
    if not found:
        raise InputError(f"no test class has {longest} tokens: lower --length")
    return found


def _write_page(path: Path, name: str, found: list[Any]) -> None:
    curves = {
        f"{soft} soft": [(each.length, each.recalled) for each in found if each.soft == soft]
        for soft in dict.fromkeys(each.soft for each in found)
    }
    plot = line_plot(
        "Recall",
        "Share of tokens that are the most likely ones.",
        curves,
        across="tokens of a text",
    )
    rows = tuple(
        (f"{e.soft}", f"{e.length}", f"{100 * e.recalled:.1f}", f"{e.loss:.4f}") for e in found
    )
    columns = ("soft tokens", "tokens of a text", "recalled, %", "loss")
    table = FigureTable("Recall", "Means over texts.", columns, rows)
    write_figures(path, "What fits into soft tokens", name, [table], lines=[plot])
