"""All tables and figures as one JSON file and one page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.benchmarks.tests4j.dataset import Tests4JDataset
from evaluator.benchmarks.tests4j.report import correlation, datasets, figures, results
from evaluator.benchmarks.tests4j.report.agreement import agreements
from evaluator.benchmarks.tests4j.report.runs import EvaluatedRun
from evaluator.experiments.comparisons import Table, as_rows, shown
from evaluator.report import plots
from evaluator.report.html import render_template
from evaluator.storage.files import write_whole
from evaluator.swtbench.metrics import Overlap

JSON, PAGE = "tests4j-report.json", "tests4j-report.html"


@dataclass(frozen=True)
class Tests4JReport:
    """Tables, by the sections of the page that they stand in, and what figures are made of."""

    sections: Mapping[str, tuple[Table, ...]]
    runs: tuple[EvaluatedRun, ...]
    shared: Overlap

    __test__ = False


def report(runs: Sequence[EvaluatedRun], data: Sequence[Tests4JDataset]) -> Tests4JReport:
    """Everything that these evaluations and datasets give."""
    shared = results.shared_methods(runs)
    made = {
        "Runs": (results.by_run(runs),),
        "By repository": tuple(map(results.by_repository, runs)),
        "EvoSuite and models": (results.side_by_side(runs),),
        "Similarity and coverage": (
            correlation.correlations(correlation.points_of_runs(runs), "runs"),
            correlation.correlations(
                correlation.points_of_repositories(runs), "repositories in runs"
            ),
            correlation.spread(runs),
        ),
        "Overlap": (results.overlap_table(shared),),
        "Reasons": (results.reasons(runs),),
        "Datasets": (*(t for each in data for t in datasets.tables(each)), *agreements(data)),
    }
    kept = {
        name: tables for name, tables in made.items() if tables and (runs or name == "Datasets")
    }
    return Tests4JReport(kept, tuple(runs), shared)


def write_report(directory: Path, made: Tests4JReport, sources: Sequence[str]) -> None:
    """Write both files, each whole or not at all; the directory is made if need be."""
    directory.mkdir(parents=True, exist_ok=True)
    write_whole(directory / JSON, json.dumps(as_document(made), indent=1).encode() + b"\n")
    write_whole(directory / PAGE, _page(made, sources))


def as_document(made: Tests4JReport) -> dict[str, Any]:
    """For programs: figures as they are, shares from 0 to 1."""
    return {
        "schema_version": 1,
        "runs": [run.name for run in made.runs],
        "sections": {
            name: [_table(table) for table in tables] for name, tables in made.sections.items()
        },
        "shared_methods": [
            {"runs": list(part.predictions), "methods": list(part.instances)}
            for part in made.shared.combinations
        ],
    }


def _table(table: Table) -> dict[str, Any]:
    return {"title": table.title, "note": table.note, "rows": as_rows(table)}


def _page(made: Tests4JReport, sources: Sequence[str]) -> bytes:
    several = len(made.runs) > 1 and bool(made.shared.union)
    return render_template(
        "tests4j_report.html.j2",
        sections=made.sections,
        runs=made.runs,
        chains=[figures.chain(run) for run in made.runs],
        coverages=[figures.coverage(run) for run in made.runs],
        scatters=[each for each in figures.scatters(made.runs) if each.marks],
        upset=plots.upset(made.shared) if several else None,
        shown=shown,
        figures=figures,
        sources=sources,
    )
