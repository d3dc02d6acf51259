"""Predictions side by side: tables 2 and 3 of SWT-Bench, and 4 and 5 by model and information."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from evaluator.experiments.provenance import Provenance
from evaluator.model import Evaluation
from evaluator.swtbench.metrics import ReplaySummary, summarize

Cell = str | int | float | None
"""Floats are shares from 0 to 1, unless a heading says otherwise; None where there is no figure."""


@dataclass(frozen=True)
class Table:
    """Rows of cells under headings. `note` says what the figures are and over what."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


def as_json(table: Table) -> str:
    """One object a row, by heading, with figures as they are."""
    return json.dumps({"title": table.title, "note": table.note, "rows": as_rows(table)}, indent=1)


def as_rows(table: Table) -> list[dict[str, Cell]]:
    """Each row by heading, with figures as they are."""
    return [dict(zip(table.headings, row, strict=True)) for row in table.rows]


def as_csv(table: Table) -> str:
    """Comma-separated, with figures as they are."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.headings)
    writer.writerows(table.rows)
    return stream.getvalue()


def as_markdown(table: Table) -> str:
    """A table for a README or a comment; shares in percent."""
    lines = [table.headings, ["---", *("---:" for _ in table.headings[1:])], *shown(table)]
    body = "\n".join(_markdown_row(line) for line in lines)
    return f"**{table.title}**\n\n{body}\n\n{table.note}\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def print_table(console: Console, table: Table) -> None:
    """On a terminal; shares in percent."""
    printed = RichTable(title=table.title, title_justify="left", box=None, pad_edge=False)
    for number, heading in enumerate(table.headings):
        printed.add_column(Text(heading), justify="right" if number else "left", overflow="fold")
    for row in shown(table):
        printed.add_row(*map(Text, row))
    console.print(printed)
    console.print(Text(table.note, style="dim"))


def shown(table: Table) -> Sequence[Sequence[str]]:
    """The cells as people read them: shares in percent."""
    return [[_cell(cell) for cell in row] for row in table.rows]


def _cell(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{100 * cell:.1f}" if isinstance(cell, float) else str(cell)


Results = Mapping[str, Sequence[Evaluation]]
Provenances = Mapping[str, Provenance]
"""Name of a prediction -> where it comes from; a name may be absent."""

_RATES = ("well_formed_rate", "success_rate", "fail_to_any_rate", "fail_to_pass_rate")
_COVERAGES = (
    "change_coverage_mean",
    "change_coverage_mean_success",
    "change_coverage_mean_failure",
)
_OVER = "Percent of the instances that ran; S is success, W well-formed (SWT-Bench, section 5.1)."


def by_method(results: Results) -> Table:
    """Table 2: W, S, F->x, F->P and P->P of each prediction."""
    headings = ("prediction", "ran", "W", "S", "F->x", "F->P", "P->P")
    rows = tuple((name, *_rates(summarize(found))) for name, found in results.items())
    return Table("Methods (table 2)", headings, rows, _OVER)


def by_coverage(results: Results) -> Table:
    """Table 3: mean change coverage over all, over successes, over the others."""
    headings = ("prediction", "ran", "ΔC all", "ΔC S", "ΔC not S")
    rows = tuple((name, *_coverages(summarize(found))) for name, found in results.items())
    note = "Mean change coverage, over instances whose fix has executable changed lines."
    return Table("Change coverage (table 3)", headings, rows, note)


def by_model(results: Results, provenances: Provenances) -> Table:
    """Table 4: the same figures with the rows ordered by method and then by model."""
    return _grouped(
        "Models (table 4)", results, provenances, ("method", "model"), lambda p: (p.method, p.model)
    )


def by_information(results: Results, provenances: Provenances) -> Table:
    """Table 5: by method and what its prompt was given beside the issue."""
    headings = ("method", "given patch", "test file named")
    return _grouped(
        "Information (table 5)",
        results,
        provenances,
        headings,
        lambda p: (p.method, p.given_patch, "yes" if p.names_test_file else "no"),
    )


def _grouped(
    title: str,
    results: Results,
    provenances: Provenances,
    headings: tuple[str, ...],
    group: Callable[[Provenance], tuple[str, ...]],
) -> Table:
    """Predictions that fall into one group are taken together."""
    groups: dict[tuple[str, ...], list[Evaluation]] = defaultdict(list)
    for name, found in results.items():
        if name in provenances:
            groups[group(provenances[name])].extend(found)
    rows = tuple((*key, *_rates(summarize(groups[key]))) for key in sorted(groups))
    left_out = sorted(results.keys() - provenances.keys())
    note = f"{_OVER} Of unknown origin, left out: {', '.join(left_out)}." if left_out else _OVER
    return Table(title, (*headings, "ran", "W", "S", "F->x", "F->P", "P->P"), rows, note)


def _rates(summary: ReplaySummary) -> tuple[Cell, ...]:
    figures = (summary.estimates[name].value for name in (*_RATES, "pass_to_pass_rate"))
    return (f"{summary.graded}/{summary.instances}", *figures)


def _coverages(summary: ReplaySummary) -> tuple[Cell, ...]:
    figures = (summary.estimates[name].value for name in _COVERAGES)
    return (f"{summary.graded}/{summary.instances}", *figures)
