"""Success by what an instance is like: issue length, repository, date (SWT-Bench, section 5.4)."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence

from evaluator.experiments.comparisons import Results
from evaluator.experiments.table import Cell, Table
from evaluator.model import Evaluation, State
from evaluator.swtbench.metrics import (
    Estimate,
    estimate,
    length_edges,
    success_by_issue_length,
    success_by_repository,
)

_HEADINGS = ("prediction", "slice", "ran", "S", "from", "to")
_NOTE = "S over the instances that ran, in percent, with its 95 % bootstrap interval."


def by_issue_length(results: Results, bins: int = 5) -> Table:
    """S in bins of issue length, in words, about equally full."""
    edges = length_edges([e for found in results.values() for e in found], bins)
    rows = [
        (name, f"{part.low} to {part.high} words", *_figures(part.success))
        for name, found in results.items()
        for part in success_by_issue_length(found, edges)
    ]
    return Table("Success by issue length", _HEADINGS, tuple(rows), _NOTE)


def by_repository(results: Results) -> Table:
    """S in each repository."""
    rows = [
        (name, repo, *_figures(success))
        for name, found in results.items()
        for repo, success in success_by_repository(found).items()
    ]
    return Table("Success by repository", _HEADINGS, tuple(rows), _NOTE)


def by_date(
    results: Results, created: Mapping[str, datetime.datetime], date: datetime.datetime
) -> Table:
    """S of instances from before a date and from then on: what a model may have seen, and not.

    `created` maps an instance to its date; instances without one are left out and counted.
    """
    rows = [
        (name, label, *_figures(_success(found, created, date, before=before)))
        for name, found in results.items()
        for label, before in ((f"before {date:%Y-%m-%d}", True), ("from then on", False))
    ]
    unknown = {e.instance_id for found in results.values() for e in found} - created.keys()
    note = f"{_NOTE} {len(unknown)} instances have no date and are left out." if unknown else _NOTE
    return Table("Success before and after a date", _HEADINGS, tuple(rows), note)


def _success(
    found: Sequence[Evaluation],
    created: Mapping[str, datetime.datetime],
    date: datetime.datetime,
    *,
    before: bool,
) -> Estimate:
    return estimate(
        e.success
        for e in found
        if e.state is State.GRADED
        and e.instance_id in created
        and (created[e.instance_id] < date) is before
    )


def _figures(success: Estimate) -> tuple[Cell, ...]:
    return (success.denominator, success.value, success.low, success.high)
