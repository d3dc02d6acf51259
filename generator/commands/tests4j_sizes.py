"""`fixgate tests4j sizes`: parameters, memory and time of the settings of table 5.1."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from evaluator import InputError, extra_needed
from evaluator.commands.options import ManyValuesCommand
from evaluator.report.figures import FigureTable, write_figures
from evaluator.report.lines import LinePlot, line_plot

_POSITIVE = click.IntRange(min=1)


@click.command("sizes", cls=ManyValuesCommand)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--layers", type=_POSITIVE, default=24, show_default=True)
@click.option("--hidden", type=_POSITIVE, default=1024, show_default=True)
@click.option("--heads", type=_POSITIVE, default=16, show_default=True)
@click.option("--vocabulary", type=_POSITIVE, default=50_304, show_default=True)
@click.option("--measure", is_flag=True, help="Also memory and time of one pass, with all weights.")
@click.option("--batch", type=_POSITIVE, default=1, show_default=True)
@click.option("--tokens", type=_POSITIVE, default=512, show_default=True, help="Prompt and test.")
@click.option("--context", type=_POSITIVE, default=512, show_default=True, help="Soft context.")
@click.option(
    "--context-lengths",
    "lengths",
    type=_POSITIVE,
    multiple=True,
    help="Also memory and time with contexts of so many tokens, hard and soft. Takes several.",
)
def sizes(out: Path, measure: bool, lengths: tuple[int, ...], **given: Any) -> None:
    """Count the parameters of the thesis's settings on models of random weights."""
    console = Console(stderr=True)
    if given["hidden"] % given["heads"]:
        raise InputError("--hidden must be a multiple of --heads, which share it")
    with extra_needed("tuning", "a local model"):
        from generator.tuning.devices import device_name
        from generator.tuning.experiments import sizes as counting
        from generator.tuning.experiments.context_costs import context_costs
        from generator.tuning.experiments.measurements import Measurements
        from generator.tuning.experiments.questions import TABLE
        from generator.tuning.saving import save_bytes, writing_to
    size = counting.ModelSize(given["layers"], given["hidden"], given["heads"], given["vocabulary"])
    work = counting.Workload(given["batch"], given["tokens"], given["context"])
    measurements = Measurements(out / "measured.jsonl", size)
    found = []
    for name in TABLE:
        counted = counting.count_parameters(name, size)
        found.append(measurements.of(name, work) if measure else counted)
        measured = f"; {_measured(found[-1])}" if measure else ""
        text = f"{name}: {counted.trained:,} of {counted.parameters:,} trained{measured}"
        console.print(Text(text))
        save_bytes(out / "sizes.json", _rows(found))
    costs = []
    for cost in context_costs(lengths, measurements, work):
        costs.append(cost)
        console.print(
            Text(f"{cost.found.name}, context of {cost.context}: {_measured(cost.found)}")
        )
        save_bytes(out / "context-costs.json", _rows(costs))
    tables = [_table(found), *([_context_table(costs)] if costs else [])]
    lines = _plots(costs) if costs else []
    with writing_to(out):
        write_figures(
            out / "sizes.html", "Sizes", f"{size}, {work}, on: {device_name()}", tables, lines=lines
        )


def _rows(found: Sequence[Any]) -> bytes:
    return json.dumps([asdict(row) for row in found], indent=1).encode()


def _table(found: Sequence[Any]) -> FigureTable:
    rows = tuple((f.name, f"{f.trained:,}", f"{f.parameters:,}", *_cells(f)) for f in found)
    columns = ("setting", "trained", "parameters", "memory, GB", "pass, s")
    return FigureTable("Settings", "Of table 5.1, with random weights.", columns, rows)


def _context_table(costs: Sequence[Any]) -> FigureTable:
    rows = tuple((cost.found.name, f"{cost.context:,}", *_cells(cost.found)) for cost in costs)
    columns = ("setting", "context", "memory, GB", "pass, s")
    return FigureTable("Contexts", "In the prompt, and as soft tokens.", columns, rows)


def _plots(costs: Sequence[Any]) -> list[LinePlot]:
    """Memory and time by the length of the context (figure 4.1)."""
    wanted = {
        "Memory": ("GB, at the highest point of a pass.", lambda found: found.peak_bytes / 1e9),
        "Time": (
            "Seconds of a pass; of a processor, those of all cores together.",
            lambda found: found.seconds,
        ),
    }
    return [
        line_plot(title, caption, _curves(costs, value), across="tokens of the context")
        for title, (caption, value) in wanted.items()
    ]


def _curves(costs: Sequence[Any], value: Any) -> dict[str, list[tuple[float, float]]]:
    return {
        name: [
            (cost.context, value(cost.found))
            for cost in costs
            if cost.found.name == name and not cost.found.problem
        ]
        for name in dict.fromkeys(cost.found.name for cost in costs)
    }


def _cells(found: Any) -> tuple[str, str]:
    """Memory and time; in their place what is wrong, or that they were not measured."""
    if found.problem:
        return found.problem, "—"
    if found.peak_bytes is None:
        return "—", "—"
    return f"{found.peak_bytes / 1e9:.2f}", f"{found.seconds:.2f}"


def _measured(found: Any) -> str:
    memory, seconds = _cells(found)
    return found.problem or f"{memory} GB, {seconds} s"
