"""A table of figures, and the forms in which it is shown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

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
    rows = [dict(zip(table.headings, row, strict=True)) for row in table.rows]
    return json.dumps({"title": table.title, "note": table.note, "rows": rows}, indent=1)


def as_csv(table: Table) -> str:
    """Comma-separated, with figures as they are."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.headings)
    writer.writerows(table.rows)
    return stream.getvalue()


def as_markdown(table: Table) -> str:
    """A table for a README or a comment; shares in percent."""
    lines = [table.headings, ["---", *("---:" for _ in table.headings[1:])], *_shown(table)]
    body = "\n".join(_markdown_row(line) for line in lines)
    return f"**{table.title}**\n\n{body}\n\n{table.note}\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def print_table(console: Console, table: Table) -> None:
    """On a terminal; shares in percent."""
    shown = RichTable(title=table.title, title_justify="left", box=None, pad_edge=False)
    for number, heading in enumerate(table.headings):
        shown.add_column(Text(heading), justify="right" if number else "left", overflow="fold")
    for row in _shown(table):
        shown.add_row(*map(Text, row))
    console.print(shown)
    console.print(Text(table.note, style="dim"))


def _shown(table: Table) -> Sequence[Sequence[str]]:
    return [[_cell(cell) for cell in row] for row in table.rows]


def _cell(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{100 * cell:.1f}" if isinstance(cell, float) else str(cell)
