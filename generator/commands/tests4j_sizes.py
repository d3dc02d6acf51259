"""`fixgate tests4j sizes`: parameters and memory of the settings of table 5.1."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from evaluator import extra_needed
from evaluator.report.figures import FigureTable, write_figures
from evaluator.storage import write_whole

_POSITIVE = click.IntRange(min=1)


@click.command("sizes")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--layers", type=_POSITIVE, default=24, show_default=True)
@click.option("--hidden", type=_POSITIVE, default=1024, show_default=True)
@click.option("--heads", type=_POSITIVE, default=16, show_default=True)
@click.option("--vocabulary", type=_POSITIVE, default=50_304, show_default=True)
@click.option("--measure", is_flag=True, help="Also memory and time of one pass, with all weights.")
@click.option("--batch", type=_POSITIVE, default=1, show_default=True)
@click.option("--tokens", type=_POSITIVE, default=512, show_default=True, help="Prompt and test.")
@click.option("--context", type=_POSITIVE, default=512, show_default=True, help="Soft context.")
def sizes(out: Path, measure: bool, **given: Any) -> None:
    """Count the parameters of the thesis's settings on models of random weights."""
    console = Console(stderr=True)
    with extra_needed("tuning", "a local model"):
        from generator.tuning.experiments import sizes as counting
        from generator.tuning.experiments.questions import TABLE
    size = counting.ModelSize(given["layers"], given["hidden"], given["heads"], given["vocabulary"])
    work = counting.Workload(given["batch"], given["tokens"], given["context"])
    found = []
    for name in TABLE:
        counted = counting.count_parameters(name, size)
        found.append(counting.measure(name, size, work) if measure else counted)
        console.print(Text(f"{name}: {counted.trained:,} of {counted.parameters:,} trained"))
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / "sizes.json", json.dumps([asdict(f) for f in found], indent=1).encode())
    write_figures(out / "sizes.html", "Sizes", f"{size}, {work}", [_table(found)])


def _table(found: list[Any]) -> FigureTable:
    rows = tuple(
        (
            f.name,
            f"{f.trained:,}",
            f"{f.parameters:,}",
            _gigabytes(f.peak_bytes),
            _seconds(f.seconds),
        )
        for f in found
    )
    columns = ("setting", "trained", "parameters", "memory, GB", "pass, s")
    return FigureTable("Settings", "Of table 5.1, with random weights.", columns, rows)


def _gigabytes(amount: int | None) -> str:
    return "—" if amount is None else f"{amount / 1e9:.2f}"


def _seconds(amount: float | None) -> str:
    return "—" if amount is None else f"{amount:.2f}"
