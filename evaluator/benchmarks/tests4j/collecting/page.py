"""What a collection found: table 3.2 and figures 3.1 to 3.4, as JSON and as one page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluator.benchmarks.tests4j.collecting.filters import (
    MEGABYTE,
    CandidateResult,
    FilterName,
    FilterRow,
    Thresholds,
    build_of,
    filter_table,
    years_since_commit,
)
from evaluator.report.figures import FigureTable, Histogram, histogram, write_figures
from evaluator.report.wording import percent, shortened
from evaluator.storage.files import write_whole

_LONGEST = 120
_MANY = 4
"""How many times its threshold a histogram's axis shows at most."""


def write_collection(
    directory: Path,
    results: Sequence[CandidateResult],
    thresholds: Thresholds,
    last: FilterName,
    settings: Mapping[str, object],
) -> None:
    """Write `collect.json` and `collect.html`."""
    table = filter_table(results, last)
    document = {
        "schema_version": 1,
        "settings": settings,
        "filters": [row.model_dump(mode="json") for row in table],
        "candidates": [_described(each) for each in results],
    }
    directory.mkdir(parents=True, exist_ok=True)
    write_whole(directory / "collect.json", json.dumps(document, indent=1).encode() + b"\n")
    undecided = sum(1 for each in results if each.problem)
    lead = (
        f"{len(results)} candidates, {undecided} of them not decided, as of {thresholds.as_of}. "
        f"Tokenizer: {settings['tokenizer']}."
    )
    write_figures(
        directory / "collect.html",
        "Tests4J candidates",
        lead,
        [_filter_table(table), _candidate_table(results)],
        _histograms(results, thresholds),
    )


def _described(result: CandidateResult) -> Mapping[str, object]:
    return result.model_dump(mode="json", exclude={"snapshot", "pair_tokens"}) | {
        "build": build_of(result.metadata)
    }


def _filter_table(rows: Sequence[FilterRow]) -> FigureTable:
    columns = ("Filter", "Before", "After", "Dropped, %")
    cells = ((row.filter, str(row.before), str(row.after), percent(row.dropped)) for row in rows)
    return FigureTable("Filters", "Table 3.2 of the thesis.", columns, tuple(cells))


def _candidate_table(results: Sequence[CandidateResult]) -> FigureTable:
    columns = ("Repository", "Build", "MB", "Last commit", "Mapped tests", "Dropped by", "Reason")
    return FigureTable("Candidates", "In their order.", columns, tuple(map(_row, results)))


def _row(result: CandidateResult) -> tuple[str, ...]:
    metadata = result.metadata
    moment = metadata.committed_at
    return (
        result.repo,
        build_of(metadata) if metadata.root_files else "",
        f"{metadata.kilobytes / MEGABYTE:.1f}",
        moment.date().isoformat() if moment else "",
        "" if result.tests is None else str(result.tests),
        "not decided" if result.problem else result.dropped_by or "",
        shortened(result.problem or result.reason, _LONGEST),
    )


def _histograms(
    results: Sequence[CandidateResult], thresholds: Thresholds
) -> tuple[Histogram, ...]:
    known = [each.metadata for each in results if each.metadata.committed_at is not None]
    sizes = [each.kilobytes / MEGABYTE for each in known]
    ages = [years_since_commit(each, thresholds.as_of) for each in known]
    tokens = [count for each in results for count in each.pair_tokens]
    tests = [each.tests for each in results if each.tests is not None]
    few, many = thresholds.fewest_tests, thresholds.most_tests
    return (
        _plot("Size", "3.1: repositories by megabytes.", sizes, thresholds.most_megabytes),
        _plot("Last commit", "3.2: repositories by years.", ages, thresholds.most_years),
        _plot(
            "Tokens",
            "3.3: tests by tokens with method.",
            tokens,
            thresholds.most_tokens,
        ),
        histogram(
            "Mapped tests",
            "Figure 3.4: repositories by tests.",
            tests,
            most=min(max(tests, default=0), _MANY * many),
            thresholds=[(few, str(few)), (many, str(many))],
        ),
    )


def _plot(title: str, caption: str, values: Sequence[float], threshold: float) -> Histogram:
    most = min(max(values, default=0), _MANY * threshold)
    marks = [(threshold, f"{threshold:g}")]
    return histogram(title, f"Figure {caption}", values, most=most, thresholds=marks)
